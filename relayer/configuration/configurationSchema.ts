import { validate as isCronExpression } from "node-cron";
import { z } from "zod";
import { DEFAULT_RENTAL_OFFSET, FEED_KINDS, type FeedKind } from "../message/feedId.ts";
import { DEFAULT_LAYOUT, messageLayoutSchema } from "../message/messageLayout.ts";
import { REQUEST_SPELLINGS } from "../service/buildRequest.ts";
import { latestResponseFieldsSchema } from "../service/latestResponseFields.ts";
import { NATIONWIDE_MARKET_ID } from "../service/serviceClient.ts";

/** A market to carry: both configured kinds of it, or one. */
export type MarketChoice = { readonly marketId: bigint; readonly kind?: FeedKind };

const bytes32 = z
  .string()
  .regex(/^0x[0-9a-fA-F]{64}$/, "must be 32 bytes as 0x-hex")
  .transform((hex) => hex.toLowerCase() as `0x${string}`);
const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/, "must be a 20-byte address as 0x-hex")
  .transform((hex) => hex as `0x${string}`);
const id = z
  .union([z.int().min(1), z.string().regex(/^[0-9]{1,19}$/, "must be digits")])
  .transform((value) => BigInt(value));
const market = z
  .union([z.int().min(1).transform(String), z.string()])
  .pipe(z.string().regex(/^[0-9]{1,19}(:(sales|rental))?$/, "must be a market id, or one with :sales or :rental"))
  .transform((text): MarketChoice => {
    const [marketId = "", kind] = text.split(":");
    return { marketId: BigInt(marketId), ...(kind && { kind: kind as FeedKind }) };
  });
const httpUrl = z.url({ protocol: /^https?$/, error: "must be a URL that begins with http:// or https://" });
/** No more than what a timer can wait for (2^31 - 1 ms); beyond that it would not wait at all. */
const seconds = z.int().min(0).max(2_147_483);
const credits = z.int().min(0);
const rentalOffset = id.refine((offset) => offset >= 2n && offset <= 2n ** 62n, "must be 2 to 2^62");

/**
 * Every key of the configuration, checked in one place; the JSON Schema for editors is generated from it.
 *
 * The environment spells a key `HOMEPRICE_` and the key in upper case with underscores (`rpcUrl` is
 * `HOMEPRICE_RPC_URL`). Lists are comma-separated there, objects are JSON.
 */
export const configurationSchema = z.strictObject({
  apiUrl: httpUrl.optional().describe("base address of the price service"),
  apiKey: z.string().optional().describe("raw API key; environment or apiKeyFile only, never in the file itself"),
  apiKeyFile: z.string().optional().describe("file that holds the API key"),
  idPrefix: z
    .string()
    .regex(/^[A-Za-z][A-Za-z0-9_]*$/, "must be a word")
    .default("svc")
    .describe("the word that stands for the maker in identifiers: svc_id, svc_ids"),
  responseFields: latestResponseFieldsSchema
    .prefault({})
    .describe("which field of a latest answer holds what (where the service differs from the defaults)"),
  requestSpelling: z
    .enum(REQUEST_SPELLINGS)
    .default("specification")
    .describe("how requests are spelt where the specification and the service's public clients differ"),
  addressListName: z
    .string()
    .min(1, "must be a name")
    .optional()
    .describe("name of the list in the body of an address search; the body is the bare list otherwise"),
  nationwideMarketId: id.prefault(NATIONWIDE_MARKET_ID.toString()).describe("the market that is the whole nation"),
  creditsPerRun: credits.optional().describe("most credits of the service that one run may use; no bound otherwise"),
  creditsPerMonth: credits
    .optional()
    .describe("most credits that all runs with the same store may use in a calendar month (UTC); no bound otherwise"),

  rpcUrl: z
    .union([httpUrl.transform((url) => [url]), z.array(httpUrl).min(1)])
    .optional()
    .describe("RPC endpoints, tried in this order"),
  chainId: z.int().min(1).optional().describe("chain id that the RPC endpoints must have"),
  oracleAddress: address.optional().describe("the oracle contract; deployments/<chainId>.json otherwise"),
  privateKey: bytes32.optional().describe("sender's private key; environment or privateKeyFile only"),
  privateKeyFile: z.string().optional().describe("file that holds the sender's private key"),

  markets: z
    .array(market)
    .min(1)
    .optional()
    .describe("market ids to carry; 5503877:sales carries only one of the kinds of that market"),
  kinds: z
    .array(z.enum(["sales", "rental"]))
    .min(1)
    .default([...FEED_KINDS])
    .describe("which series of each market"),
  signerPublicKey: bytes32.optional().describe("Ed25519 public key that signs the prices"),
  layout: messageLayoutSchema.prefault(DEFAULT_LAYOUT).describe("where the fields of the 74 signed bytes stand"),
  rentalOffset: rentalOffset
    .prefault(DEFAULT_RENTAL_OFFSET.toString())
    .describe("what is added to a market id for rental"),
  maxExpiryAfterDateSeconds: seconds
    .min(1)
    .max(259_200)
    .default(259_200)
    .describe("latest expiry after 00:00 UTC of a price's date"),
  quarantineDelaySeconds: seconds
    .min(3_600)
    .max(172_800)
    .default(21_600)
    .describe("how long a price outside its feed's band waits in a deployed oracle"),
  defaultBandBasisPoints: z
    .int()
    .min(0)
    .max(10_000)
    .default(0)
    .describe("how far a price may be from its feed's price of an earlier date, per day; 0: any distance"),

  schedule: z
    .string()
    .refine((expression) => isCronExpression(expression), "must be a cron expression, such as 30 7 * * *")
    .default("30 7 * * *")
    .describe("cron expression of the daily run"),
  timeZone: z
    .string()
    .refine(isTimeZone, "must be a time zone, such as America/New_York")
    .default("America/New_York")
    .describe("time zone of the schedule"),
  requestTimeoutSeconds: seconds.min(1).default(30).describe("longest wait for one answer of the service or the chain"),
  receiptTimeoutSeconds: seconds.min(1).default(180).describe("longest wait for a transaction to be mined"),
  maxUpdatesPerTransaction: z.int().min(1).max(1000).default(100).describe("most updates in one transaction"),
  maxGasPerTransaction: z.int().min(1_000_000).default(16_000_000).describe("most gas of one transaction"),
  store: z
    .string()
    .refine((path) => !/^[a-z]+:\/\//i.test(path), "must be a folder; databases are not supported yet")
    .optional()
    .describe("folder in which the relayer keeps what must survive it; .homeprice/store"),
  deploymentsDirectory: z.string().optional().describe("folder of the address books <chainId>.json; deployments"),

  owner: address.optional().describe("owner of a deployed oracle; the sender otherwise"),
  guardian: address.optional().describe("guardian of a deployed oracle; none otherwise"),
  signerDelaySeconds: seconds.optional().describe("delay of a new signer; 24 h, or 0 on chain id 31337"),
});

/** The configuration as the program uses it: defaults filled in, ids as bigint. */
export type Configuration = z.output<typeof configurationSchema>;
export type ConfigurationKey = keyof Configuration;

/** Keys whose values are secrets. They come from the environment or a file of their own and are never printed. */
export const SECRET_KEYS = ["apiKey", "privateKey"] as const satisfies readonly ConfigurationKey[];

export const CONFIGURATION_KEYS = Object.keys(configurationSchema.shape) as ConfigurationKey[];

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
