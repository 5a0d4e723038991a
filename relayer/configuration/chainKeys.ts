import { z } from "zod";
import { decimalAmount } from "./decimalAmount.ts";
import { address, bytes32, httpUrl, seconds } from "./fieldTypes.ts";

const GWEI_DECIMALS = 9;
const NATIVE_DECIMALS = 18;

/** Most blocks that may have to lie on top of a transaction's: more than any chain takes back. */
const MOST_DEPTH = 10_000;

/**
 * The keys that say where and how one chain is delivered to. They stand at the top level where there is one chain, and
 * under the chain's name in `chains` where there are several; the top level then has what chains do not say themselves.
 */
export const chainKeys = {
  rpcUrl: z
    .union([httpUrl.transform((url) => [url]), z.array(httpUrl).min(1)])
    .optional()
    .describe("RPC endpoints, tried in this order"),
  chainId: z
    .int()
    .min(1)
    .optional()
    .describe("chain id that the RPC endpoints must have; needed where chains have names"),
  oracleAddress: address.optional().describe("the oracle contract; deployments/<chainId>.json otherwise"),

  privateKey: bytes32.optional().describe("sender's private key; environment or privateKeyFile only"),
  privateKeyFile: z.string().optional().describe("file that holds the sender's private key"),
  keystoreFile: z
    .string()
    .optional()
    .describe("encrypted file of the sender's key (Web3 secret storage), instead of a private key"),
  keystorePassword: z
    .string()
    .optional()
    .describe("password of the keystore; environment or keystorePasswordFile only"),
  keystorePasswordFile: z.string().optional().describe("file that holds the password of the keystore"),
  remoteSignerUrl: httpUrl
    .optional()
    .describe("signer elsewhere that answers eth_signTransaction, such as Web3Signer, instead of a private key"),
  remoteSignerUrlFile: z.string().optional().describe("file that holds the address of the remote signer"),
  senderAddress: address
    .optional()
    .describe("the sender's address: a remote signer needs it, of another key it is compared"),

  maxFeePerGasGwei: decimalAmount(GWEI_DECIMALS)
    .optional()
    .describe("most gwei that a unit of gas may cost, decimal text; 100, without bound on chain id 31337"),
  dailyBudget: decimalAmount(NATIVE_DECIMALS)
    .optional()
    .describe(
      "most native currency that a sender may spend in a day (UTC), decimal text in whole units; 1, without bound on chain id 31337",
    ),
  finality: z
    .union([z.literal("finalized"), z.int().min(0).max(MOST_DEPTH)], {
      error: `must be finalized, or a number of blocks from 0 to ${MOST_DEPTH}`,
    })
    .optional()
    .describe(
      "when a transaction counts: by the chain's finalized tag, or with that many blocks on top of it; finalized, 0 on chain id 31337",
    ),
  // With defaults at the top level, which keeps what is said of them.
  stuckAfterSeconds: seconds
    .min(5)
    .describe("a transaction that is not mined by then is replaced by one with higher fees; 90")
    .optional(),
  balanceWarningDays: z
    .int()
    .min(0)
    .max(3_650)
    .describe("a balance that lasts for fewer days is told of; 14")
    .optional(),
  maxUpdatesPerTransaction: z.int().min(1).max(1000).describe("most updates in one transaction; 100").optional(),
  maxGasPerTransaction: z.int().min(1_000_000).describe("most gas of one transaction; 16000000").optional(),
};

export type ChainKey = keyof typeof chainKeys;
export const CHAIN_KEYS = Object.keys(chainKeys) as ChainKey[];

/** Keys that are one chain's alone: nothing of them can be common to several. */
export const UNSHARED_CHAIN_KEYS = ["rpcUrl", "chainId", "oracleAddress"] as const satisfies readonly ChainKey[];

/** Where a sender's key may be; a chain has one of them. */
export const KEY_SOURCES = ["privateKey", "keystoreFile", "remoteSignerUrl"] as const satisfies readonly ChainKey[];

/** Names of chains: what can stand in a variable's name without any doubt where it ends. */
export const CHAIN_NAME = /^[a-z][a-z0-9]*$/;

/** The chains by name. */
export const chainsSchema = z.record(
  z.string().regex(CHAIN_NAME, "must be a name of lower-case letters and digits that begins with a letter"),
  z.strictObject(chainKeys),
);
