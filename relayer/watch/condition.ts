/** Something that is not as it should be and that a person should know of, for as long as it lasts. */
export type Condition = {
  readonly kind: ConditionKind;
  /** What it is about, where a kind can stand several times: a host, a feed kind, a feed. Empty otherwise. */
  readonly subject: string;
  readonly severity: "warning" | "critical";
  /** What is wrong, with the values, in one sentence. */
  readonly message: string;
  /** What to do. */
  readonly hint: string;
};

/** Every kind of condition. docs/operators.md says of each what it means and what to do. */
export const CONDITION_KINDS = [
  // ------------------------------------------------------------------------------------------- of the price service
  /** No answer, or none that can be used. */
  "service-down",
  /** The edition that is due has not appeared by the configured hour. */
  "edition-late",
  /** The newest date went back. */
  "edition-older",
  /** A price of a date that has not begun. */
  "edition-future",
  /** A wanted market came in the last edition and is missing in this one. */
  "market-dropped",
  /** A wanted market is missing, and was never there. */
  "market-missing",
  /** Prices that fail a check. */
  "price-refused",
  /** The price of another market came for a wanted one, or one that nobody asked for. */
  "price-of-another-market",
  /** Prices verify under another key, or name one. */
  "signer-changed",
  /** Messages are of another form. */
  "layout-changed",
  /** This machine's clock and the service's differ. */
  "clock-differs",
  /** The credits of the service run out. */
  "credits-short",
  // ---------------------------------------------------------------------------------------------------- of a chain
  /** No endpoint can be used. */
  "chain-unreachable",
  /** One of the endpoints fails, lags behind or has another chain. */
  "endpoint-failing",
  /** Endpoints contradict each other. */
  "endpoints-disagree",
  /** Fees are above the configured cap: nothing is sent. */
  "fees-above-cap",
  /** What may be spent in a day is spent. */
  "budget-spent",
  /** The sender cannot pay. */
  "balance-empty",
  /** The balance lasts for fewer days than configured. */
  "balance-low",
  /** A transaction is not mined, in spite of its replacements. */
  "transaction-stuck",
  /** A block with our transaction was reorganised away. */
  "reorganised",
  /** The sender's nonce was used by somebody else. */
  "nonce-used-elsewhere",
  /** The oracle does not accept the signer, or reads its messages by another layout. */
  "signer-not-accepted",
  /** A price waits in quarantine. */
  "price-quarantined",
  /** The contract refuses a price that passed our checks. */
  "update-refused",
  /** A wanted feed is not current on the chain. */
  "feed-not-current",
  /** An edition could not be brought while its windows were open. */
  "edition-missed",
  /** The oracle or a feed is paused. */
  "paused",
  // --------------------------------------------------------------------------------------------------- of ourselves
  /** The journal cannot be written. */
  "journal-failing",
  /** A run ended with an error that none of these names. */
  "run-failed",
] as const;

export type ConditionKind = (typeof CONDITION_KINDS)[number];
