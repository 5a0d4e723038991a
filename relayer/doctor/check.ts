import type { ConfigurationKey } from "../configuration/configurationSchema.ts";
import type { Examination } from "./examination.ts";
import type { Finding } from "./finding.ts";

/** Names of the checks; other people's scripts look for them. */
export type CheckName =
  | "configuration"
  | "environment"
  | "schedule"
  | "store"
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
  | "rpc"
  | "chain-id"
  | "oracle"
  | "oracle-settings"
  | "oracle-signer"
  | "oracle-layout"
  | "feeds"
  | "sender-key"
  | "balance"
  | "clock";

/** One thing that has to be in order. */
export type Check = {
  readonly name: CheckName;
  /** What is looked at, for the help text. */
  readonly about: string;
  /** Checks without whose success there is nothing to look at. */
  readonly needs: readonly CheckName[];
  /** Keys without whose value there is nothing to look at, or it would be judged by a value that nobody gave. */
  readonly keys: readonly ConfigurationKey[];
  /** @throws HomePriceError which then is what was found. */
  readonly run: (examination: Examination) => Finding | Promise<Finding>;
};
