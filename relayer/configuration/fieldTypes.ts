import { z } from "zod";

export const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes as 0x-hex")
  .transform((hex) => hex.toLowerCase() as `0x${string}`);

export const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be a 20-byte address as 0x-hex")
  .transform((hex) => hex as `0x${string}`);

export const httpUrl = z.url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" });

/** No more than what a timer can wait for (2^31 - 1 ms); beyond that it would not wait at all. */
export const seconds = z.int().min(0).max(2_147_483);
