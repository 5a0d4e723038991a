import { HomePriceError } from "../errors/HomePriceError.ts";

/** One thing that is wrong with a request. */
export type RequestProblem = {
  /** Name of the rule, as docs/service.md lists them. */
  readonly rule: string;
  /** Path of the field; empty for the request as a whole. */
  readonly at: string;
  readonly value: unknown;
  readonly message: string;
};

/** A request that the service would refuse, or could not answer as meant. It has not been sent. */
export class RequestRuleError extends HomePriceError {
  /** The endpoint's name. */
  readonly endpoint: string;
  readonly problems: readonly RequestProblem[];

  constructor(endpoint: string, problems: readonly RequestProblem[]) {
    const words = problems.map(({ rule, at, message }) => `${at === "" ? "" : `${at} `}${message} (rule ${rule})`);
    super("REQUEST_RULE_BROKEN", `the request to ${endpoint} was not sent: ${words.join("; ")}`, {
      kind: "configuration",
      hint: "Correct what is named. docs/service.md lists every endpoint with its fields and rules.",
    });
    this.endpoint = endpoint;
    this.problems = problems;
  }
}
