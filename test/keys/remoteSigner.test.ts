import { type Hex, numberToHex, parseTransaction, serializeTransaction } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, test } from "vitest";
import { RemoteSignerError } from "../../relayer/keys/keyErrors.ts";
import { remoteSigner } from "../../relayer/keys/remoteSigner.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { type Misbehaviour, SERVER_PASSWORD, startSigningServer } from "./signingServer.ts";
import { recoveredSender, TRANSACTION } from "./unsignedTransaction.ts";

const STRANGER = privateKeyToAccount(LOCAL_OWNER_KEY);

async function start(misbehaviour?: Misbehaviour) {
  const server = await startSigningServer(LOCAL_RELAYER_KEY);
  server.misbehaviour = misbehaviour;
  return { server, signer: remoteSigner({ url: server.url, address: server.address, timeoutMs: 500 }) };
}

async function problemOf(asking: Promise<unknown>): Promise<RemoteSignerError> {
  const problem = await asking.catch((error: unknown) => error);
  if (!(problem instanceof RemoteSignerError)) throw new Error(`signed, or ${String(problem)}`);
  expect(`${problem.message}${problem.hint}`).not.toContain(SERVER_PASSWORD);
  expect(problem.message).toContain("http://127.0.0.1:");
  return problem;
}

describe("a remote signer", () => {
  test("signs just what it was asked to, with every number as a hex quantity", async () => {
    const { server, signer } = await start();
    const signed = await signer.signTransaction(TRANSACTION);
    expect(await recoveredSender(signed)).toBe(server.address);
    expect(signed).toBe(await privateKeyToAccount(LOCAL_RELAYER_KEY).signTransaction(TRANSACTION));
    const { to, data } = TRANSACTION;
    expect(server.calls).toMatchObject([
      {
        method: "eth_signTransaction",
        params: [
          {
            from: server.address,
            to,
            data,
            value: "0x0",
            nonce: "0x7",
            gas: numberToHex(TRANSACTION.gas),
            maxFeePerGas: numberToHex(TRANSACTION.maxFeePerGas),
            maxPriorityFeePerGas: numberToHex(TRANSACTION.maxPriorityFeePerGas),
            chainId: "0x7a69",
          },
        ],
        authorization: `Basic ${Buffer.from(`relayer:${SERVER_PASSWORD}`).toString("base64")}`,
      },
    ]);
  });

  test("signs the first transaction of an account", async () => {
    const { server, signer } = await start();
    const first = { ...TRANSACTION, nonce: 0, maxPriorityFeePerGas: 0n, data: "0x" } as const;
    expect(await recoveredSender(await signer.signTransaction(first))).toBe(server.address);
  });

  test("may answer with an object, as nodes do", async () => {
    const raw = await privateKeyToAccount(LOCAL_RELAYER_KEY).signTransaction(TRANSACTION);
    const { signer } = await start({ result: { raw, tx: {} } });
    expect(await signer.signTransaction(TRANSACTION)).toBe(raw);
  });

  test("says whether it has the key", async () => {
    const { server, signer } = await start();
    await signer.checkAccount();
    const stranger = remoteSigner({ url: server.url, address: STRANGER.address, timeoutMs: 500 });
    expect(await problemOf(stranger.checkAccount())).toMatchObject({
      code: "REMOTE_SIGNER_ACCOUNT_MISSING",
      message: expect.stringContaining(STRANGER.address),
    });
    expect(await problemOf(stranger.signTransaction(TRANSACTION))).toMatchObject({
      code: "REMOTE_SIGNER_REFUSED",
      message: expect.stringContaining("No unlocked account matches the Sender (-32000)"),
    });
  });
});

describe("an answer that is not what was asked for", () => {
  test.each([
    ["chainId", { chainId: 1 }, "chainId is 1, not 31337"],
    ["nonce", { nonce: 8 }, "nonce is 8, not 7"],
    ["to", { to: STRANGER.address }, "to is 0xf39f"],
    ["value", { value: 1n }, "value is 1, not 0"],
    ["gas", { gas: 21_000n }, "gas is 21000, not 1234567"],
    ["maxFeePerGas", { maxFeePerGas: 31_000_000_000n }, "maxFeePerGas is 31000000000, not 30000000000"],
    ["maxPriorityFeePerGas", { maxPriorityFeePerGas: 0n }, "maxPriorityFeePerGas is 0, not 1000000"],
    ["data", { data: "0x1234" as Hex }, "data differs"],
    ["accessList", { accessList: [{ address: STRANGER.address, storageKeys: [] }] }, "accessList is 1, not 0"],
  ])("in its %s is refused by name", async (field, sign, text) => {
    const { signer } = await start({ sign });
    const problem = await problemOf(signer.signTransaction(TRANSACTION));
    expect(problem.code).toBe("REMOTE_SIGNER_ANSWER_WRONG");
    expect(problem.message).toContain(text);
    expect(problem.message).toContain("nothing was sent");
    if (field === "chainId") expect(problem.hint).toContain("--chain-id");
  });

  test("because another key signed is refused", async () => {
    const { signer } = await start({ signWith: LOCAL_OWNER_KEY });
    const problem = await problemOf(signer.signTransaction(TRANSACTION));
    expect(problem).toMatchObject({ code: "REMOTE_SIGNER_ANSWER_WRONG" });
    expect(problem.message).toContain(`has not signed with the key of ${signer.address}`);
  });

  test("because its signature is of the form that nodes refuse is refused", async () => {
    const raw = await privateKeyToAccount(LOCAL_RELAYER_KEY).signTransaction(TRANSACTION);
    const { r, s, yParity } = parseTransaction(raw as `0x02${string}`) as unknown as {
      r: Hex;
      s: Hex;
      yParity: number;
    };
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const highS = numberToHex(order - BigInt(s), { size: 32 });
    const { signer } = await start({
      result: serializeTransaction(TRANSACTION, { r, s: highS, yParity: 1 - yParity }),
    });
    expect((await problemOf(signer.signTransaction(TRANSACTION))).code).toBe("REMOTE_SIGNER_ANSWER_WRONG");
  });

  test.each([
    ["nothing", null],
    ["no hex", "signed"],
    ["empty bytes", "0x"],
    ["a transaction of another kind", `0x01${"00".repeat(40)}`],
    ["bytes that are no transaction", `0x02${"00".repeat(40)}`],
    ["a transaction without a signature", serializeTransaction(TRANSACTION)],
    ["an object without bytes", { tx: {} }],
    ["a number", 7],
  ])("because it is %s is refused", async (_, result) => {
    const { signer } = await start({ result });
    expect(await problemOf(signer.signTransaction(TRANSACTION))).toMatchObject({
      code: "REMOTE_SIGNER_ANSWER_WRONG",
      message: expect.stringContaining("no signed EIP-1559 transaction"),
    });
  });
});

describe("a signer that does not answer", () => {
  test.each([
    ["breaks the connection", "break"],
    ["hangs", "hang"],
    ["answers 503", { status: 503 }],
    ["answers 401", { status: 401 }],
    ["answers with a page", { text: "<html>sign in</html>" }],
  ] as const)("because it %s is told as such", async (_, misbehaviour) => {
    const { signer } = await start(misbehaviour);
    for (const ask of [() => signer.signTransaction(TRANSACTION), () => signer.checkAccount()]) {
      expect((await problemOf(ask())).code).toBe("REMOTE_SIGNER_UNREACHABLE");
    }
  });

  test("because nothing listens there is told as such", async () => {
    const signer = remoteSigner({
      url: `http://127.0.0.1:9/${SERVER_PASSWORD}`,
      address: STRANGER.address,
      timeoutMs: 500,
    });
    expect((await problemOf(signer.checkAccount())).code).toBe("REMOTE_SIGNER_UNREACHABLE");
  });

  test("but refuses is told with its own words, without secrets", async () => {
    const { server, signer } = await start();
    server.misbehaviour = { error: { code: -32_603, message: `vault sealed, see ${server.url}` } };
    const problem = await problemOf(signer.signTransaction(TRANSACTION));
    expect(problem.code).toBe("REMOTE_SIGNER_REFUSED");
    expect(problem.message).toContain("vault sealed");
  });

  test("says no accounts that make sense", async () => {
    const { signer } = await start({ result: { accounts: [] } });
    expect((await problemOf(signer.checkAccount())).code).toBe("REMOTE_SIGNER_ACCOUNT_MISSING");
  });
});
