import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import { deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { LOCAL_OWNER_KEY, startLocalChain } from "../../relayer/local/localChain.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { PUBLIC_KEY } from "../message/signedPrices.ts";

let chain: Awaited<ReturnType<typeof startLocalChain>>;
beforeAll(async () => {
  chain = await startLocalChain(0);
});
afterAll(() => chain.close());

class BrokenOff extends Error {}

it("a deployment that is broken off after any transaction goes on from there", async () => {
  const connection = await connectChain({ rpcUrls: [chain.rpcUrl], timeoutMs: 30_000 });
  const deploy = (onMined: (label: string) => void) =>
    deployOracle({
      connection,
      account: privateKeyToAccount(LOCAL_OWNER_KEY),
      signerPublicKey: PUBLIC_KEY,
      layout: DEFAULT_LAYOUT,
      rentalOffset: 2_000_000_000n,
      maxExpiryAfterDateSeconds: 259_200,
      receiptTimeoutMs: 10_000,
      onMined,
    });

  const mined: string[] = [];
  for (const expected of [
    "fund the proxy's deployer",
    "deploy SHA-512 of one message",
    "deploy SHA-512 of two messages",
    "deploy the verifiers' template",
    "deploy the batch verifier",
    "deploy the base point's lower table",
    "deploy the base point's upper table",
    "deploy the verifier factory",
    "deploy the signer's verifier",
    "deploy the signer's tables for large batches",
    "deploy the oracle",
  ]) {
    const brokenOff = deploy((label) => {
      mined.push(label);
      throw new BrokenOff();
    });
    await expect(brokenOff).rejects.toThrow(BrokenOff);
    expect(mined.at(-1)).toBe(expected);
  }
  expect(mined).toHaveLength(11);

  const { deployment, transactions } = await deploy(() => {});
  expect(transactions).toEqual([]);
  expect(await connection.publicClient.getCode({ address: deployment.oracle })).toBeDefined();
});
