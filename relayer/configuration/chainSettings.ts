import { parseEther, parseGwei } from "viem";
import { LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import type { ChainSettings } from "../deliver/chainSettings.ts";
import { type ChainConfiguration, chainsOf } from "./chainConfiguration.ts";
import { nameOfChain } from "./chainNamed.ts";
import type { Configuration } from "./configurationSchema.ts";
import { keyInHint } from "./keyInHint.ts";
import { InvalidConfigurationError } from "./loadConfiguration.ts";

/** What may be paid where nobody has said otherwise: more than any chain asks for, less than a mistake could. */
const DEFAULT_MAX_FEE_GWEI = "100";
const DEFAULT_DAILY_BUDGET = "1";

/**
 * The chains to deliver to.
 * @param foundChainId Id of the only chain of a configuration that does not say it, once a node has: a local chain has
 *   other defaults.
 * @throws InvalidConfigurationError when a chain has no RPC endpoint.
 */
export function chainSettings(configuration: Configuration, foundChainId?: number): ChainSettings[] {
  return chainsOf(configuration).map((chain) => settingsOfChain(chain, foundChainId));
}

/**
 * What one chain's configuration says of deliveries to it.
 * @throws InvalidConfigurationError when it has no RPC endpoint.
 */
export function settingsOfChain(chain: ChainConfiguration, foundChainId?: number): ChainSettings {
  if (!chain.rpcUrl) throw noRpcUrl(chain);
  const { maxFeePerGas, dailyBudgetWei, finality } = spendingRules(chain, foundChainId);
  return {
    name: nameOfChain({ chainName: chain.chainName, chainId: chain.chainId ?? foundChainId }),
    rpcUrls: chain.rpcUrl,
    expectedChainId: chain.chainId,
    oracleAddress: chain.oracleAddress,
    limits: {
      maxUpdatesPerTransaction: chain.maxUpdatesPerTransaction,
      maxGasPerTransaction: BigInt(chain.maxGasPerTransaction),
    },
    maxFeePerGas,
    dailyBudgetWei,
    finality,
    stuckAfterMs: chain.stuckAfterSeconds * 1000,
    balanceWarningDays: chain.balanceWarningDays,
    requestTimeoutMs: chain.requestTimeoutSeconds * 1000,
  };
}

/** What may be paid on a chain, and when it counts as done. On a local chain nothing is worth anything, or taken back. */
export function spendingRules(
  { chainId, maxFeePerGasGwei, dailyBudget, finality }: ChainConfiguration,
  foundChainId?: number,
): Pick<ChainSettings, "maxFeePerGas" | "dailyBudgetWei" | "finality"> {
  const isLocal = (chainId ?? foundChainId) === LOCAL_CHAIN_ID;
  const feeGwei = maxFeePerGasGwei ?? (isLocal ? undefined : DEFAULT_MAX_FEE_GWEI);
  const budget = dailyBudget ?? (isLocal ? undefined : DEFAULT_DAILY_BUDGET);
  return {
    maxFeePerGas: feeGwei === undefined ? undefined : parseGwei(feeGwei),
    dailyBudgetWei: budget === undefined ? undefined : parseEther(budget),
    finality: finality ?? (isLocal ? 0 : "finalized"),
  };
}

/** Of a chain, or of the only one, that no node is known of. */
export function noRpcUrl(chain: Pick<ChainConfiguration, "chainName">): InvalidConfigurationError {
  const ofChain = chain.chainName === undefined ? "" : ` for chain ${chain.chainName}`;
  return new InvalidConfigurationError(
    "NO_RPC_URL",
    `no RPC endpoint is configured${ofChain}`,
    `Set ${keyInHint(chain, "rpcUrl")} to the address of a node, such as http://127.0.0.1:8545.`,
  );
}
