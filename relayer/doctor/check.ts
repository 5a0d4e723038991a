import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import type { ChainKey } from "../configuration/chainKeys.ts";
import type { ConfigurationKey } from "../configuration/configurationSchema.ts";
import type { ChainExamination } from "./chainExamination.ts";
import type { Examination } from "./examination.ts";
import type { Finding } from "./finding.ts";

/** Names of the checks; other people's scripts look for them. */
export type CheckName =
  | "configuration"
  | "environment"
  | "schedule"
  | "store"
  | "alerts"
  | "markets"
  | "api-address"
  | "api-key"
  | "plan"
  | "limits"
  | "response-fields"
  | "prices"
  | "message"
  | "signer-key"
  | "signature"
  | "edition"
  | "clock"
  | "rpc"
  | "chain-id"
  | "finality"
  | "oracle"
  | "oracle-settings"
  | "oracle-signer"
  | "oracle-layout"
  | "feeds"
  | "sender-key"
  | "owner"
  | "fees"
  | "budget"
  | "balance";

type CheckOf<Examined> = {
  readonly name: CheckName;
  /** What is looked at, for the help text. */
  readonly about: string;
  /** Checks without whose success there is nothing to look at; of a check of each chain, those of the same chain. */
  readonly needs: readonly CheckName[];
  /** Keys without whose value there is nothing to look at, or it would be judged by a value that nobody gave. */
  readonly keys: readonly ConfigurationKey[];
  /** @throws HomePriceError which then is what was found. */
  readonly run: (examination: Examined) => Finding | Promise<Finding>;
};

/** Something that has to be in order once. */
export type SharedCheck = CheckOf<Examination> & { readonly scope: "shared" };

/** Something that has to be in order on every chain. */
export type ChainCheck = CheckOf<ChainExamination> & {
  readonly scope: "chain";
  /** In the place of {@link CheckOf.keys}, where it depends on what else a chain says. */
  readonly keysFor?: (chain: ChainConfiguration) => readonly ChainKey[];
};

export type Check = SharedCheck | ChainCheck;
