/** What can be wrong with one RPC endpoint. */
export const ENDPOINT_FAULTS = {
  dead: "no connection",
  timeout: "no answer; the request may have arrived",
  error: "every request is answered with an internal error",
  "rate-limited": "every request is answered with 429",
  flaky: "every third request fails",
  lagging: "its newest block is minutes old",
  frozen: "its newest block stays the same",
  "stale-state": "answers about state come from some blocks before the newest one that it names",
  "wrong-nonce": "transaction counts are too high or too low",
  "drops-sent": "it takes transactions and passes none on",
  "hides-receipts": "it knows of no receipt",
  "wrong-chain": "it is another chain's",
} as const;

export type EndpointFault = keyof typeof ENDPOINT_FAULTS;
