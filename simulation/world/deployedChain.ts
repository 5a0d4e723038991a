import { type Address, createPublicClient, custom, defineChain, numberToHex, parseEther } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ChainConnection } from "../../relayer/chain/chainConnection.ts";
import { deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { LOCAL_OWNER_KEY } from "../../relayer/local/localChain.ts";
import type { Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_RENTAL_OFFSET } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type EdrChain, startEdrChain } from "../chain/edrChain.ts";

/** A development chain answers at once, so that nothing is gained by waiting. */
const POLLING_MS = 20;
const DEPLOYMENT_TIMEOUT_MS = 60_000;
const MAX_EXPIRY_AFTER_DATE_SECONDS = 259_200;
const HOUR_MS = 3_600_000;

/** Before simulated time begins: an EVM with the project's contracts on it. */
export type DeployedChain = { readonly chainId: number; readonly edr: EdrChain; readonly oracle: Address };

/**
 * Starts an EVM and deploys the oracle by the project's own means.
 * @param startMs When simulated time will begin; the newest block is one interval before that.
 * @param funded Accounts that are to have money.
 */
export async function deployChain({
  chainId,
  startMs,
  blockIntervalMs,
  signerPublicKey,
  funded,
}: {
  readonly chainId: number;
  readonly startMs: number;
  readonly blockIntervalMs: number;
  readonly signerPublicKey: Ed25519PublicKey;
  readonly funded: readonly Address[];
}): Promise<DeployedChain> {
  const edr = await startEdrChain({ chainId, startMs: startMs - HOUR_MS });
  const { deployment } = await deployOracle({
    connection: connectionTo(miningEachTransaction(edr, startMs - HOUR_MS), chainId),
    account: privateKeyToAccount(LOCAL_OWNER_KEY),
    signerPublicKey,
    layout: DEFAULT_LAYOUT,
    rentalOffset: DEFAULT_RENTAL_OFFSET,
    maxExpiryAfterDateSeconds: MAX_EXPIRY_AFTER_DATE_SECONDS,
    receiptTimeoutMs: DEPLOYMENT_TIMEOUT_MS,
  });
  for (const address of funded) {
    await edr.request("hardhat_setBalance", [address, numberToHex(parseEther("1000"))]);
  }
  await edr.mineEmptyBlocks({
    count: 1,
    firstTime: (startMs - blockIntervalMs) / 1000,
    interval: blockIntervalMs / 1000,
    lastBaseFeePerGas: 1_000_000_000n,
  });
  return { chainId, edr, oracle: deployment.oracle as Address };
}

/** A chain that makes a block of each transaction at once, a second after the one before: the same in every run. */
function miningEachTransaction(edr: EdrChain, firstBlockMs: number): EdrChain {
  let time = firstBlockMs / 1000;
  return {
    ...edr,
    async request(method, params) {
      const answer = await edr.request(method, params);
      if (method !== "eth_sendRawTransaction") return answer;
      time += 1;
      await edr.request("evm_setNextBlockTimestamp", [time]);
      await edr.request("evm_mine");
      return answer;
    },
  };
}

/** A connection that asks the EVM itself. */
export function connectionTo(edr: EdrChain, chainId: number): ChainConnection {
  const chain = defineChain({
    id: chainId,
    name: `chain ${chainId}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  const transport = custom(
    {
      request: ({ method, params }: { method: string; params?: unknown }) =>
        edr.request(method, Array.isArray(params) ? params : []),
    },
    { retryCount: 0 },
  );
  const publicClient = createPublicClient({ chain, transport, pollingInterval: POLLING_MS, cacheTime: 0 });
  return { chain, publicClient, host: "the EVM itself" };
}
