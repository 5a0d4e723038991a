import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, expect, it } from "vitest";
import { connectChain } from "../../relayer/chain/chainConnection.ts";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import { deployAdapterFactories } from "../../relayer/deployment/deployAdapterFactories.ts";
import { deterministicAddress } from "../../relayer/deployment/deterministicProxy.ts";
import { LOCAL_OWNER_KEY, startLocalChain } from "../../relayer/local/localChain.ts";

let chain: Awaited<ReturnType<typeof startLocalChain>>;
beforeAll(async () => {
  chain = await startLocalChain(0);
});
afterAll(() => chain.close());

it("the factories of adapters come to addresses known beforehand, each once", async () => {
  const connection = await connectChain({ rpcUrls: [chain.rpcUrl], timeoutMs: 30_000 });
  const labels: string[] = [];
  const deploy = () =>
    deployAdapterFactories({
      connection,
      account: privateKeyToAccount(LOCAL_OWNER_KEY),
      receiptTimeoutMs: 10_000,
      onMined: (label) => labels.push(label),
    });
  const factories = await deploy();
  expect(Object.keys(factories)).toEqual(["chainlink", "pyth", "erc7726", "morpho", "erc7412"]);
  expect(labels.filter((label) => label.endsWith("adapters' factory"))).toHaveLength(5);
  for (const [kind, address] of Object.entries(factories)) {
    const code = (await connection.publicClient.getCode({ address })) as Hex;
    // EIP-170.
    expect(code.length / 2 - 1, kind).toBeLessThanOrEqual(24_576);
  }
  const { bytecode } = await readArtifact("adapters/chainlink/ChainlinkAdapterFactory.sol", "ChainlinkAdapterFactory");
  expect(factories.chainlink).toBe(deterministicAddress(bytecode));

  const count = labels.length;
  expect(await deploy()).toEqual(factories);
  expect(labels).toHaveLength(count);
});
