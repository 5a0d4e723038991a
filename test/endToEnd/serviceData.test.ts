import { afterAll, beforeAll, expect, test } from "vitest";
import { type Running, runCommand } from "./commandLine.ts";
import { API_KEY, startSimulator } from "./network.ts";

let simulator: Running & { url: string; publicKey: string };
let message: string;
let signature: string;

beforeAll(async () => {
  simulator = await startSimulator();
  const answer = await fetch(`${simulator.url}/v1/price_feed_rentals/latest`, {
    method: "POST",
    headers: { authorization: API_KEY, "content-type": "application/json" },
    body: '{"svc_ids":[5826765]}',
  });
  const { items } = (await answer.json()) as { items: { message: string; signature: string }[] };
  message = items[0]?.message ?? "";
  signature = items[0]?.signature ?? "";
});

afterAll(() => simulator.stop());

test("a message is shown field by field, with or without 0x, alone or in an update", async () => {
  for (const hex of [message, `0x${message}`, message + signature]) {
    const run = await runCommand(["message", "decode", hex, "--json"]);
    expect(run.exitCode).toBe(0);
    expect(run.document()).toMatchObject({
      ok: true,
      feedId: "2005826765",
      marketId: "5826765",
      kind: "rental",
      price: "1.474",
    });
  }
});

test("a signature is verified under the key that is given", async () => {
  const verify = (hex: string, ...options: string[]) =>
    runCommand(["message", "verify", hex, "--public-key", simulator.publicKey, "--json", ...options]);
  for (const run of [await verify(message + signature), await verify(message, "--signature", signature)]) {
    expect(run.exitCode).toBe(0);
    expect(run.document()).toMatchObject({ ok: true, signatureValid: true, price: "1.474" });
  }
  const forged = await verify(message + signature.replace(/^../, (byte) => (byte === "00" ? "01" : "00")));
  expect(forged.exitCode).toBe(1);
  expect(forged.document()).toMatchObject({ ok: false, error: { code: "InvalidSignature" } });
});

test("what is no message is named as such", async () => {
  const short = await runCommand(["message", "decode", message.slice(2), "--json"]);
  expect(short.exitCode).toBe(1);
  expect(short.document().error).toMatchObject({ code: "InvalidMessageLength" });
  expect(short.document().error.message).toMatch(/73 bytes/);
  const noHex = await runCommand(["message", "verify", "xyz", "--json"]);
  expect(noHex.exitCode).toBe(2);
  expect(noHex.document().error).toMatchObject({ code: "USAGE" });
});

test("markets are found by name", async () => {
  const environment = { HOMEPRICE_API_URL: simulator.url, HOMEPRICE_API_KEY: API_KEY };
  const run = await runCommand(["markets", "search", "new", "york", "--json"], environment);
  expect(run.exitCode).toBe(0);
  expect(run.document().markets[0]).toMatchObject({ marketId: "5372594", name: "New York City" });
  const limited = await runCommand(["markets", "search", "york", "--limit", "0", "--json"], environment);
  expect(limited.exitCode).toBe(2);
});
