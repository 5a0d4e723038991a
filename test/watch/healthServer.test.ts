import { connect } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { HomePriceError } from "../../relayer/errors/HomePriceError.ts";
import { type HealthAnswer, startHealthServer } from "../../relayer/watch/healthServer.ts";
import { readListenAddress } from "../../relayer/watch/listenAddress.ts";
import { rejectionOf } from "../service/priceServer.ts";

const WELL: HealthAnswer = {
  ok: true,
  reasons: [],
  allCurrent: true,
  lastRunEnd: null,
  nextRunDue: null,
  version: "1.2.3",
};

async function start(listen = "127.0.0.1:0") {
  const state = { health: WELL, metrics: "homeprice_healthy 1\n" as string | Error };
  const server = await startHealthServer({
    listen,
    health: () => state.health,
    metrics: async () => {
      if (state.metrics instanceof Error) throw state.metrics;
      return { contentType: "text/plain; version=0.0.4; charset=utf-8", text: state.metrics };
    },
  });
  onTestFinished(() => server.close());
  return { server, state, port: Number(new URL(server.url).port) };
}

describe("answers", () => {
  it("200 while all is well, 503 with the reasons otherwise, and 200 to /livez either way", async () => {
    const { server, state } = await start();
    const well = await fetch(`${server.url}/healthz`);
    expect([well.status, await well.json()]).toEqual([200, WELL]);
    expect(well.headers.get("cache-control")).toBe("no-store");
    state.health = { ...WELL, ok: false, reasons: ["service: service-down: no answer"] };
    const ill = await fetch(`${server.url}/healthz`);
    expect([ill.status, await ill.json()]).toEqual([503, state.health]);
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
  });

  it("metrics in their own content type", async () => {
    const { server } = await start();
    const answer = await fetch(`${server.url}/metrics`);
    expect(answer.headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(await answer.text()).toBe("homeprice_healthy 1\n");
  });

  it("to nothing but GET, and to no other path", async () => {
    const { server } = await start();
    for (const method of ["POST", "PUT", "DELETE", "HEAD"]) {
      const answer = await fetch(`${server.url}/healthz`, { method });
      expect([method, answer.status, answer.headers.get("allow")]).toEqual([method, 405, "GET"]);
    }
    expect((await fetch(`${server.url}/`)).status).toBe(404);
  });

  it("without a word of what went wrong inside", async () => {
    const { server, state } = await start();
    state.metrics = new Error("secret words");
    const answer = await fetch(`${server.url}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([500, '{"error":"Internal Server Error"}']);
  });
});

it("closes although a scraper keeps its connection open", async () => {
  const { server, port } = await start();
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  await new Promise((resolve) => socket.once("connect", resolve));
  const ended = new Promise((resolve) => socket.once("close", resolve));
  await server.close();
  await ended;
});

describe("an address", () => {
  it("that is taken is refused with what to do", async () => {
    const { port } = await start();
    const error = await rejectionOf(start(`127.0.0.1:${port}`));
    expect(error).toBeInstanceOf(HomePriceError);
    expect(error).toMatchObject({
      code: "PORT_IN_USE",
      kind: "configuration",
      message: `port ${port} at 127.0.0.1 is in use`,
    });
  });

  it("may be of IPv6", async () => {
    expect(readListenAddress("[::1]:9464")).toEqual({ host: "::1", port: 9464 });
  });

  it.each(["9464", "127.0.0.1", "127.0.0.1:99999", "http://127.0.0.1:1", "::1:9464", "a b:1", ""])(
    "is not %j",
    (text) => {
      expect(() => readListenAddress(text)).toThrow(expect.objectContaining({ code: "INVALID_LISTEN_ADDRESS" }));
    },
  );
});
