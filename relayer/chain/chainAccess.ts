import type { Chain, Hex } from "viem";
import type { Condition } from "../watch/condition.ts";
import type { ChainConnection } from "./chainConnection.ts";

/** How one RPC endpoint did when it was asked last. */
export type EndpointHealth = {
  /** Scheme and host. */
  readonly host: string;
  readonly state: "usable" | "unreachable" | "wrong-chain" | "lagging";
  /** What is wrong, in one sentence; empty for a usable one. */
  readonly reason: string;
  readonly headBlock: bigint | undefined;
  /** Time of its newest block, Unix seconds. */
  readonly headTime: bigint | undefined;
  /** Calls and failed calls since the process started. */
  readonly calls: number;
  readonly failures: number;
};

/** What the usable endpoints answered to one question. */
export type Agreement<T> = {
  /** The answer of most of them; of the first that was asked, where none has more than another. */
  readonly value: T;
  /** Hosts that gave it. */
  readonly hosts: readonly string[];
  /** Hosts that answered otherwise. Those that did not answer are in neither list. */
  readonly otherHosts: readonly string[];
};

/**
 * One chain through all of its configured RPC endpoints.
 *
 * What belongs together goes through one endpoint ({@link ChainAccess.pin}): a nonce read from one node and a transaction
 * sent to another do not match. Where a wrong answer would cost money, all are asked ({@link ChainAccess.agree}).
 */
export type ChainAccess = {
  readonly chain: Chain;
  /**
   * Looks at every endpoint anew and pins one that is usable for what follows: the one before, unless it has failed or
   * been reported; the next one in order otherwise.
   * @throws RpcUnreachableError when none is usable, WrongChainError when all that answer have another chain.
   */
  readonly pin: () => Promise<ChainConnection>;
  /** Says that an endpoint did badly at something that no error shows: the next {@link ChainAccess.pin} takes another. */
  readonly report: (connection: ChainConnection, reason: string) => void;
  /**
   * Asks all usable endpoints the same and compares their answers by value.
   * @throws the first endpoint's error when none answers.
   */
  readonly agree: <T>(question: string, read: (connection: ChainConnection) => Promise<T>) => Promise<Agreement<T>>;
  /**
   * Hands a signed transaction to all usable endpoints; one that knows it already, or has it in a block, has taken it.
   * @returns Hosts that took it, and what the others said. Never throws.
   */
  readonly broadcast: (
    rawTransaction: Hex,
  ) => Promise<{ readonly taken: readonly string[]; readonly refused: readonly { host: string; error: unknown }[] }>;
  readonly health: () => readonly EndpointHealth[];
  /** What a person should know of the endpoints: chain-unreachable, endpoint-failing, endpoints-disagree. */
  readonly conditions: () => readonly Condition[];
};
