import { HomePriceError } from "../errors/HomePriceError.ts";

/** Another process has written down a transaction with the same nonce, or with one of the same prices. Nothing was sent. */
export class AttemptConflictError extends HomePriceError {
  constructor(what: "nonce" | "update") {
    super(
      "ATTEMPT_CONFLICT",
      `another process is sending ${what === "nonce" ? "with this nonce" : "one of these prices"}`,
      {
        hint: "Nothing was sent and nothing has to be done: the next look finds what the other process has sent.",
      },
    );
  }
}
