import type { ServiceClientOptions } from "../service/serviceClient.ts";

/** Somebody waits for what the doctor says: one more attempt, and no long wait for a rate limit. */
export const PATIENCE = {
  retries: 1,
  minRetryDelayMs: 250,
  maxRetryDelayMs: 1_000,
} as const satisfies Partial<ServiceClientOptions>;
