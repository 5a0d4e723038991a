import { validate as isCronExpression } from "node-cron";
import { z } from "zod";
import { LOG_FORMATS } from "../logging/logger.ts";
import { DEFAULT_RENTAL_OFFSET, FEED_KINDS, type FeedKind } from "../message/feedId.ts";
import { DEFAULT_LAYOUT, messageLayoutSchema } from "../message/messageLayout.ts";
import { REQUEST_SPELLINGS } from "../service/buildRequest.ts";
import { latestResponseFieldsSchema } from "../service/latestResponseFields.ts";
import { NATIONWIDE_MARKET_ID } from "../service/serviceClient.ts";
import { chainKeys, chainsSchema } from "./chainKeys.ts";
import { address, bytes32, httpUrl, seconds } from "./fieldTypes.ts";

/** A market to carry: both configured kinds of it, or one. */
export type MarketChoice = { readonly marketId: bigint; readonly kind?: FeedKind };

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
/** A host by name or number, or an IPv6 address in brackets; and a port, 0 for any free one. */
const LISTEN =
  /^([A-Za-z0-9.-]+|\[[0-9a-fA-F:.]+\]):(\d{1,4}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])$/;
const credits = z.int().min(0);
const rentalOffset = id.refine((offset) => offset >= 2n && offset <= 2n ** 62n, "must be 2 to 2^62");

/**
 * Every key of the configuration, checked in one place; the JSON Schema for editors is generated from it.
 *
 * The environment spells a key `HOMEPRICE_` and the key in upper case with underscores (`rpcUrl` is
 * `HOMEPRICE_RPC_URL`), that of a chain with `CHAINS_` and the chain's name before it (`HOMEPRICE_CHAINS_BASE_RPC_URL`).
 * Lists are comma-separated there, objects are JSON.
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

  ...chainKeys,
  stuckAfterSeconds: chainKeys.stuckAfterSeconds.unwrap().default(90),
  balanceWarningDays: chainKeys.balanceWarningDays.unwrap().default(14),
  maxUpdatesPerTransaction: chainKeys.maxUpdatesPerTransaction.unwrap().default(100),
  maxGasPerTransaction: chainKeys.maxGasPerTransaction.unwrap().default(16_000_000),
  chains: chainsSchema
    .refine((chains) => Object.keys(chains).length > 0, "must have a chain")
    .optional()
    .describe(
      "several chains by name, each with keys of its own; what one does not say is taken from the top level, except rpcUrl, chainId and oracleAddress",
    ),

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
  editionLateAt: z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time of day, such as 09:00")
    .default("09:00")
    .describe("time of day, in timeZone, from which on an edition that is still missing is an alert"),
  requestTimeoutSeconds: seconds.min(1).default(30).describe("longest wait for one answer of the service or the chain"),
  receiptTimeoutSeconds: seconds.min(1).default(180).describe("longest wait for a transaction to be mined"),
  store: z
    .string()
    .min(1)
    .refine(isStore, "must be the path of a file, or a URL that begins with postgres:// or postgresql://")
    .optional()
    .describe(
      "where the relayer keeps what must survive it: an SQLite file, or postgres://…, for several machines together; a URL with a password belongs into the environment or storeFile; .homeprice/journal.sqlite",
    ),
  storeFile: z.string().optional().describe("file that holds the value of store, for a URL with a password"),
  archiveDays: z.int().min(0).max(36_500).default(400).describe("days for which received prices are kept; 0: for ever"),
  deploymentsDirectory: z.string().optional().describe("folder of the address books <chainId>.json; deployments"),

  owner: address.optional().describe("owner of a deployed oracle; the sender otherwise"),
  guardian: address.optional().describe("guardian of a deployed oracle; none otherwise"),
  signerDelaySeconds: seconds.optional().describe("delay of a new signer; 24 h, or 0 on chain id 31337"),

  listen: z
    .string()
    .regex(LISTEN, "must be host:port, such as 127.0.0.1:9464")
    .optional()
    .describe("where metrics and health are served, host:port such as 127.0.0.1:9464; nowhere otherwise"),
  webhookUrl: httpUrl.optional().describe("where alerts are sent to; environment or webhookUrlFile only"),
  webhookUrlFile: z.string().optional().describe("file that holds the URL for alerts"),
  heartbeatUrl: httpUrl.optional().describe("what is called while all is well; environment or heartbeatUrlFile only"),
  heartbeatUrlFile: z.string().optional().describe("file that holds the URL of the heartbeat"),
  heartbeatMinutes: z.int().min(1).max(1_440).default(5).describe("minutes between two heartbeats"),
  alertRepeatHours: z
    .int()
    .min(1)
    .max(8_760)
    .default(24)
    .describe("hours after which an alert that still holds is sent again"),
  logFormat: z
    .enum(LOG_FORMATS)
    .optional()
    .describe("lines for people or JSON for machines; for people on a terminal, JSON otherwise"),
});

/** The configuration as the program uses it: defaults filled in, ids as bigint, amounts as decimal text. */
export type Configuration = z.output<typeof configurationSchema>;
export type ConfigurationKey = keyof Configuration;

/**
 * Keys whose values are secrets: they come from the environment, or from a file that the key with `File` behind it names,
 * and are never printed.
 */
export const SECRET_KEYS = [
  "apiKey",
  "privateKey",
  "keystorePassword",
  "webhookUrl",
  "heartbeatUrl",
] as const satisfies readonly ConfigurationKey[];

/** Keys whose values are secrets when they are URLs with a password. They have a key with `File` behind it as well. */
export const KEYS_OF_LOGINS = ["store", "remoteSignerUrl"] as const satisfies readonly ConfigurationKey[];

export const CONFIGURATION_KEYS = Object.keys(configurationSchema.shape) as ConfigurationKey[];

/** A path, or the address of a PostgreSQL server; another URL would be taken for the strange name of a file. */
function isStore(text: string): boolean {
  return /^postgres(ql)?:\/\//i.test(text) ? URL.canParse(text) : !/^[a-z][a-z0-9+.-]*:\/\//i.test(text);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
