import { existsSync } from "node:fs";
import { dirname, join } from "node:path";
import * as Keystore from "ox/Keystore";
import { encodeFunctionData, formatGwei } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { createTransactionSender } from "../../relayer/deployment/transactionSender.ts";
import { ALL_CHECKS } from "../../relayer/doctor/allChecks.ts";
import type { CheckName } from "../../relayer/doctor/check.ts";
import { gasOfUpdates } from "../../relayer/doctor/gasOfUpdates.ts";
import type { CheckResult } from "../../relayer/doctor/runChecks.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { editionAt } from "../../simulator/edition.ts";
import type { FeedFaultKind } from "../../simulator/faults.ts";
import { startRpcProxy } from "../chain/rpcProxy.ts";
import { folderWith } from "../configuration/configurationFolder.ts";
import { runCommand } from "../endToEnd/commandLine.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import measuredGas from "../oracle/updateGas.json" with { type: "json" };
import {
  checkOf,
  type DoctorFixture,
  type Environment,
  type ExamineOptions,
  hintOf,
  namesOf,
  SALES_ONLY_MARKET,
  serveText,
  startDoctorFixture,
} from "./doctorFixture.ts";

let fixture: DoctorFixture;

beforeAll(async () => {
  fixture = await startDoctorFixture();
});

afterAll(() => fixture.close());

/** Something that is wrong, and what the doctor has to say about it. */
type Broken = {
  readonly what: string;
  /** Variables that differ from the configuration that is in order; files and services are made here as well. */
  readonly change: () => Promise<Environment> | Environment;
  readonly options?: ExamineOptions;
  /** Checks that fail, all of them and no other; the first is the one whose words are looked at. */
  readonly failed?: readonly CheckName[];
  /** Checks that warn, all of them and no other; the first is looked at when none fails. */
  readonly warned?: readonly CheckName[];
  /** In what was found. */
  readonly found: RegExp;
  /** In what to do. */
  readonly hint: RegExp;
  /** Checks that are run all the same, and are in order. */
  readonly stillOk: readonly CheckName[];
};

const SERVICE_CHECKS = ["api-address", "api-key", "prices", "message", "signature"] as const;
const CHAIN_CHECKS = ["rpc", "chain-id", "oracle", "oracle-settings", "sender-key", "balance"] as const;
const BIG_ENDIAN_ID: MessageLayout = { ...DEFAULT_LAYOUT, feedId: { ...DEFAULT_LAYOUT.feedId, byteOrder: "big" } };
const OTHER_DOMAIN: MessageLayout = { ...DEFAULT_LAYOUT, constants: [{ offset: 0, bytes: `0x${"5a".repeat(32)}` }] };
const STRANGERS_KEY = "0x8a88e3dd7409f195fd52db2d3cba5d72ca6709bf1d94121bf3748801b40f6f5c";

/** A service with a fault in both prices of the market that is asked for. */
async function faulty(...kinds: readonly FeedFaultKind[]): Promise<Environment> {
  const faults = kinds.flatMap((kind) => [
    { kind, feedId: 5_826_765n },
    { kind, feedId: 2_005_826_765n },
  ]);
  return { HOMEPRICE_API_URL: (await fixture.serve({ faults })).url };
}

async function served(options: Parameters<DoctorFixture["serve"]>[0]): Promise<Environment> {
  const { url, publicKey } = await fixture.serve(options);
  return { HOMEPRICE_API_URL: url, HOMEPRICE_SIGNER_PUBLIC_KEY: publicKey };
}

const PASSWORD = "sim_key_that_no_output_may_show";

/** The sender's key in a keystore, encrypted with {@link PASSWORD}. */
async function keystoreFile(): Promise<string> {
  const [key, options] = Keystore.pbkdf2({ password: PASSWORD, iterations: 1_000 });
  const folder = await folderWith({
    "keystore.json": JSON.stringify(Keystore.encrypt(LOCAL_RELAYER_KEY, key, options)),
  });
  return join(folder, "keystore.json");
}

function keystore(path: string): Environment {
  return { HOMEPRICE_PRIVATE_KEY: "", HOMEPRICE_KEYSTORE_FILE: path };
}

function remoteSigner(url: string, address: string = privateKeyToAccount(LOCAL_RELAYER_KEY).address): Environment {
  return { HOMEPRICE_PRIVATE_KEY: "", HOMEPRICE_REMOTE_SIGNER_URL: url, HOMEPRICE_SENDER_ADDRESS: address };
}

function rpcUrl(): string {
  return String(fixture.environment["HOMEPRICE_RPC_URL"]);
}

const BROKEN: readonly Broken[] = [
  // ------------------------------------------------------------------------------------------------- configuration
  {
    what: "a configuration file that is no YAML",
    change: () => ({}),
    options: { file: "markets: [1, 2" },
    failed: ["configuration"],
    found: /homeprice\.config\.yaml is not valid YAML \(line 1\)/,
    hint: /Correct the file/,
    stillOk: ["api-address", "rpc", "chain-id", "sender-key"],
  },
  {
    what: "a key that there is not",
    change: () => ({}),
    options: { file: "apiURL: https://prices.example" },
    failed: ["configuration"],
    found: /unknown key apiURL \(known: apiUrl/,
    hint: /homeprice\.config\.schema\.json/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a secret in the file",
    change: () => ({ HOMEPRICE_API_KEY: "" }),
    options: { file: "apiKey: sim_key_that_no_output_may_show" },
    failed: ["configuration"],
    found: /holds apiKey/,
    hint: /HOMEPRICE_API_KEY or apiKeyFile/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a file of the API key that is not there",
    change: () => ({ HOMEPRICE_API_KEY: "", HOMEPRICE_API_KEY_FILE: "/nonexistent/key" }),
    failed: ["configuration"],
    found: /the file named by apiKeyFile cannot be read/,
    hint: /HOMEPRICE_API_KEY_FILE/,
    stillOk: ["api-address", ...CHAIN_CHECKS],
  },
  {
    what: "a schedule that is none",
    change: () => ({ HOMEPRICE_SCHEDULE: "daily" }),
    failed: ["configuration"],
    found: /HOMEPRICE_SCHEDULE: must be a cron expression/,
    hint: /Correct the values/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "several mistakes at once",
    change: () => ({ HOMEPRICE_TIME_ZONE: "Mars", HOMEPRICE_RPC_URL: "localhost:8545", HOMEPRICE_KINDS: "rent" }),
    options: { file: "unknown: 1" },
    failed: ["configuration"],
    found:
      /HOMEPRICE_KINDS.*HOMEPRICE_RPC_URL.*http:\/\/.*HOMEPRICE_TIME_ZONE.*unknown key unknown|unknown key unknown/,
    hint: /Correct the values/,
    stillOk: ["api-address", "api-key", "message", "signature", "sender-key"],
  },
  {
    what: "a market id that collides with the rental offset, beside one that does not",
    change: () => ({ HOMEPRICE_MARKETS: "2000000001,5826765" }),
    failed: ["configuration"],
    found: /market id 2000000001 is not a valid id/,
    hint: /Market ids are 1 to 1999999999/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a layout whose fields overlap",
    change: () => ({ HOMEPRICE_LAYOUT: JSON.stringify({ ...DEFAULT_LAYOUT, date: { offset: 60 } }) }),
    failed: ["configuration"],
    found: /date \(from byte 60\) overlaps expiry/,
    hint: /Correct `layout`/,
    stillOk: ["api-address", "api-key", "prices", ...CHAIN_CHECKS],
  },
  {
    what: "a private key of the wrong length",
    change: () => ({ HOMEPRICE_PRIVATE_KEY: "0x1234567812345678" }),
    failed: ["configuration"],
    found: /HOMEPRICE_PRIVATE_KEY: must be 32 bytes as 0x-hex/,
    hint: /Correct the values/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a variable that is misspelt",
    change: () => ({ HOMEPRICE_APIKEY: "anything" }),
    warned: ["environment"],
    found: /HOMEPRICE_APIKEY is no variable of ours and has no effect; did you mean HOMEPRICE_API_KEY\?/,
    hint: /Correct the spelling/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a store that cannot be written",
    change: async () => ({ HOMEPRICE_STORE: join(await folderWith({ taken: "" }), "taken", "store") }),
    failed: ["store"],
    found: /journal .*store cannot be written \(ENOTDIR\)/,
    hint: /HOMEPRICE_STORE/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a store that holds something else",
    change: async () => ({ HOMEPRICE_STORE: join(await folderWith({ list: "shopping list" }), "list") }),
    failed: ["store"],
    found: /cannot be used as the journal: it is no database/,
    hint: /HOMEPRICE_STORE.*move a file that is no journal away/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a store that is a database where nobody answers",
    change: () => ({
      HOMEPRICE_STORE: `${fixture.nowhere.replace("http", "postgres")}/prices?password=sim_key_that_no_output_may_show`,
    }),
    failed: ["store"],
    found: /the journal \(postgres .*127\.0\.0\.1:\d+\) cannot be reached: ECONNREFUSED/,
    hint: /Check that the server runs.*HOMEPRICE_STORE/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a store with a password in the file",
    change: () => ({ HOMEPRICE_STORE: "" }),
    options: { file: "store: postgres://user:sim_key_that_no_output_may_show@127.0.0.1:9/prices" },
    failed: ["configuration", "store"],
    found: /holds store; secrets do not belong into a configuration file/,
    hint: /HOMEPRICE_STORE or storeFile/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "alerts to an address that is not encrypted",
    change: () => ({ HOMEPRICE_WEBHOOK_URL: "http://hooks.example/sim_key_that_no_output_may_show" }),
    warned: ["alerts"],
    found: /webhookUrl is http:\/\/hooks\.example, which travels unencrypted/,
    hint: /https address/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a heartbeat to what is no address",
    change: () => ({ HOMEPRICE_HEARTBEAT_URL: "sim_key_that_no_output_may_show" }),
    failed: ["configuration"],
    found: /HOMEPRICE_HEARTBEAT_URL: must be a URL that begins with http/,
    hint: /Correct the values/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "no market",
    change: () => ({ HOMEPRICE_MARKETS: "" }),
    failed: ["markets"],
    found: /no market is configured/,
    hint: /HOMEPRICE_MARKETS/,
    stillOk: ["api-address", "api-key", "plan", "rpc", "oracle", "sender-key"],
  },

  // ------------------------------------------------------------------------------------------------- price service
  {
    what: "no address of the price service",
    change: () => ({ HOMEPRICE_API_URL: "" }),
    failed: ["api-address"],
    found: /address of the price service is not configured/,
    hint: /HOMEPRICE_API_URL/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "an address where nobody answers",
    change: () => ({ HOMEPRICE_API_URL: fixture.nowhere }),
    failed: ["api-address"],
    found: /cannot be reached: ECONNREFUSED/,
    hint: /HOMEPRICE_API_URL.*proxy or firewall/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "an address with a password in it",
    change: () => ({ HOMEPRICE_API_URL: "https://user:sim_key_that_no_output_may_show@prices.example" }),
    failed: ["api-address"],
    found: /holds a user name or password/,
    hint: /Authorization header/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "an address where web pages are",
    change: async () => ({ HOMEPRICE_API_URL: await serveText(200, "text/html", "<!doctype html><h1>Welcome</h1>") }),
    failed: ["api-address"],
    found: /answered 200 with no JSON \(text\/html\)/,
    hint: /base address of the service/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "an address with a wrong path",
    change: () => ({ HOMEPRICE_API_URL: `${fixture.service.url}/api` }),
    failed: ["api-address"],
    found: /answered 404/,
    hint: /Correct the path in apiUrl/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "an address that is not encrypted",
    // Not a loopback address by its digits, and yet this machine.
    change: async () => ({
      HOMEPRICE_API_URL: (await fixture.serve({ host: "0.0.0.0" })).url.replace("127.0.0.1", "0.0.0.0"),
    }),
    warned: ["api-address"],
    found: /travels unencrypted/,
    hint: /https address/,
    stillOk: ["api-key", "prices", ...CHAIN_CHECKS],
  },
  {
    what: "no API key",
    change: () => ({ HOMEPRICE_API_KEY: "" }),
    failed: ["api-key"],
    found: /no API key/,
    hint: /HOMEPRICE_API_KEY/,
    stillOk: ["api-address", ...CHAIN_CHECKS],
  },
  {
    what: "a wrong API key",
    change: () => ({ HOMEPRICE_API_KEY: "sim_wrong_key" }),
    failed: ["api-key"],
    found: /answered 401/,
    hint: /does not know this API key/,
    stillOk: ["api-address", ...CHAIN_CHECKS],
  },
  {
    what: "an API key with Bearer before it",
    change: ({ HOMEPRICE_API_KEY } = fixture.environment) => ({ HOMEPRICE_API_KEY: `Bearer ${HOMEPRICE_API_KEY}` }),
    failed: ["api-key"],
    found: /begins with "Bearer"/,
    hint: /raw key/,
    stillOk: ["api-address", ...CHAIN_CHECKS],
  },
  {
    what: "a plan without the latest prices",
    change: () => served({ faults: [{ kind: "forbidden" }] }),
    failed: ["plan"],
    found: /does not include the latest sales and rental prices: .*answered 403/,
    hint: /Have the plan changed/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a plan without the latest rental prices",
    change: () => served({ plan: { withoutEndpoints: ["/v1/price_feed_rentals/latest"] } }),
    failed: ["plan"],
    found: /does not include the latest rental prices: .*answered 403/,
    hint: /or carry only the other kind: kinds \(HOMEPRICE_KINDS\)/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a budget of credits that is used up",
    change: () => ({ HOMEPRICE_CREDITS_PER_RUN: "0" }),
    failed: ["api-key"],
    found: /the request was not sent: it may cost 1 credits/,
    hint: /raise creditsPerRun/,
    stillOk: ["api-address", ...CHAIN_CHECKS],
  },
  {
    what: "no credits",
    change: () => served({ faults: [{ kind: "no-credits" }] }),
    failed: ["limits"],
    found: /answered 429.*[Cc]redit/,
    hint: /Buy credits/,
    stillOk: ["api-address", "api-key", "plan", ...CHAIN_CHECKS],
  },
  {
    what: "a rate limit that is exceeded",
    change: () => served({ faults: [{ kind: "rate-limited" }] }),
    failed: ["limits"],
    found: /answered 429: Rate Limit/,
    hint: /rate limit is exceeded. Wait/,
    stillOk: ["api-address", "api-key", "plan", ...CHAIN_CHECKS],
  },
  {
    what: "a service that is down",
    change: () => served({ faults: [{ kind: "unavailable" }] }),
    failed: ["api-address"],
    found: /answered 503/,
    hint: /problem of its own/,
    stillOk: CHAIN_CHECKS,
  },
  {
    what: "a service that answers with web pages whoever has a key",
    change: () => served({ faults: [{ kind: "not-json" }] }),
    failed: ["response-fields"],
    found: /no JSON \(text\/html\)/,
    hint: /base address/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "an unknown market",
    change: () => ({ HOMEPRICE_MARKETS: "4242" }),
    failed: ["prices"],
    warned: ["feeds"],
    found: /no price came for market 4242 \(sales\), market 4242 \(rental\)/,
    hint: /homeprice markets search/,
    stillOk: ["api-key", "plan", ...CHAIN_CHECKS],
  },
  {
    what: "a market without a rental price",
    change: () => ({ HOMEPRICE_MARKETS: SALES_ONLY_MARKET }),
    failed: ["prices"],
    warned: ["feeds"],
    found: /no price came for market 5503877 \(rental\)$/,
    hint: /write 5503877:sales in markets.*homeprice markets discover/,
    stillOk: ["api-key", "message", "signature", ...CHAIN_CHECKS],
  },
  {
    what: "a market that only asking for all of them finds",
    change: () => ({ HOMEPRICE_MARKETS: "5826765,4242:sales" }),
    options: { allMarkets: true },
    failed: ["prices"],
    warned: ["feeds"],
    found: /no price came for market 4242 \(sales\)$/,
    hint: /homeprice markets search/,
    stillOk: ["api-key", "message", "signature", ...CHAIN_CHECKS],
  },
  {
    what: "a market that the service refuses to sign",
    change: () => faulty("refuse"),
    failed: ["prices"],
    found: /market 5826765: .*answered 422.*pre-signing check/,
    hint: /Check the market ids/,
    stillOk: ["api-key", "plan", ...CHAIN_CHECKS],
  },
  {
    what: "a wrong prefix of identifiers",
    change: () => ({ HOMEPRICE_ID_PREFIX: "acme" }),
    failed: ["prices"],
    found: /answered 422.*svc_ids/,
    hint: /speaks of svc_ids.*set idPrefix \(HOMEPRICE_ID_PREFIX\) to svc\./,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a list of items of another name",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"items":"data"}' }),
    failed: ["response-fields"],
    found: /without a list in data/,
    hint: /responseFields/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a signature in a field of another name",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"signature":"sig"}' }),
    failed: ["response-fields"],
    found: /market 5826765 \(sales\): the item has no sig/,
    hint: /HOMEPRICE_RESPONSE_FIELDS.*svc_id, date, price, publish_timestamp, expiry, signature, public_key, message/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a market id in a field of another name",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"marketId":"market"}' }),
    failed: ["response-fields"],
    found: /item 0 has no market id in market/,
    hint: /svc_id/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a market id that is looked for in a field with another number",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"marketId":"expiry"}' }),
    failed: ["prices"],
    found: /the answer holds market \d{13}, which was not asked for/,
    hint: /responseFields\.marketId/,
    stillOk: ["api-address", "api-key", ...CHAIN_CHECKS],
  },
  {
    what: "a field that is only compared, of another name",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"price":"usd"}' }),
    warned: ["response-fields"],
    found: /no price in usd/,
    hint: /cannot be compared/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "times in another unit",
    change: () => ({ HOMEPRICE_RESPONSE_FIELDS: '{"expiryUnit":"s"}' }),
    failed: ["message"],
    found: /differs from the message it carries: expiry/,
    hint: /units in responseFields.*homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "signature", ...CHAIN_CHECKS],
  },

  // ----------------------------------------------------------------------------------------------- signed messages
  {
    what: "a wrong layout",
    change: () => ({ HOMEPRICE_LAYOUT: JSON.stringify(BIG_ENDIAN_ID) }),
    failed: ["message", "oracle-layout"],
    found: /neither a market id nor market id \+ 2000000000/,
    hint: /homeprice message discover-layout.*HOMEPRICE_LAYOUT/,
    stillOk: ["api-key", "prices", "signer-key", "signature", ...CHAIN_CHECKS],
  },
  {
    what: "a constant that the service does not sign",
    change: () => ({ HOMEPRICE_LAYOUT: JSON.stringify(OTHER_DOMAIN) }),
    failed: ["message", "oracle-layout"],
    found: /byte 0 of the message is not what the layout says/,
    hint: /homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "signer-key", "signature", ...CHAIN_CHECKS],
  },
  {
    what: "a signature that fails although everything else is right, with the message beside it",
    change: () => faulty("bad-signature"),
    failed: ["signature"],
    found: /does not belong to the message of market 5826765 \(sales\), market 5826765 \(rental\)/,
    hint: /Length, fields and key are in order.*homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "message", "signer-key", ...CHAIN_CHECKS],
  },
  {
    what: "a signature that fails although everything else is right, with a message rebuilt by a wrong layout",
    change: async () => ({ ...(await faulty("no-message")), HOMEPRICE_LAYOUT: JSON.stringify(OTHER_DOMAIN) }),
    failed: ["signature", "oracle-layout"],
    warned: ["response-fields"],
    found: /does not belong to the message/,
    hint: /homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "message", "signer-key", ...CHAIN_CHECKS],
  },
  {
    what: "a key that the service does not name, and that is not its own",
    change: async () => ({ ...(await faulty("no-public-key")), HOMEPRICE_SIGNER_PUBLIC_KEY: STRANGERS_KEY }),
    failed: ["signature", "oracle-signer"],
    warned: ["response-fields"],
    found: /does not belong to the message/,
    hint: /check signerPublicKey.*homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "message", ...CHAIN_CHECKS],
  },
  {
    what: "a signature that fails, and the key of somebody else",
    change: async () => ({ ...(await faulty("bad-signature")), HOMEPRICE_SIGNER_PUBLIC_KEY: STRANGERS_KEY }),
    failed: ["signature", "signer-key", "oracle-signer"],
    found: /does not belong to the message/,
    hint: /first see signer-key.*homeprice message discover-layout/,
    stillOk: ["api-key", "prices", "message", ...CHAIN_CHECKS],
  },
  {
    what: "a message that is too short",
    change: () => faulty("short-message"),
    failed: ["message"],
    found: /the message has 73 bytes, not 74/,
    hint: /messages of 74 bytes only/,
    stillOk: ["api-key", "prices", "signer-key", ...CHAIN_CHECKS],
  },
  {
    what: "a wrong signer key",
    change: () => ({ HOMEPRICE_SIGNER_PUBLIC_KEY: STRANGERS_KEY }),
    failed: ["signer-key", "oracle-signer"],
    found: /says that it signs with 0x[0-9a-f]{64}; signerPublicKey is 0x8a88e3/,
    hint: /Ask the service's maker.*HOMEPRICE_SIGNER_PUBLIC_KEY/,
    stillOk: ["api-key", "message", "signature", ...CHAIN_CHECKS],
  },
  {
    what: "a signer key that cannot be one",
    change: () => ({ HOMEPRICE_SIGNER_PUBLIC_KEY: `0x02${"00".repeat(31)}` }),
    failed: ["signer-key", "signature", "oracle-signer"],
    found: /is not a point of the curve/,
    hint: /typing error/,
    stillOk: ["api-key", "message", ...CHAIN_CHECKS],
  },
  {
    what: "an edition that has expired",
    change: () => faulty("expired"),
    failed: ["edition"],
    found: /market 5826765 \(sales\) expired at/,
    hint: /old edition.*Wait for the new one/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "prices published in the future",
    change: () => faulty("publish-too-far-ahead"),
    failed: ["edition"],
    found: /published at .* in the future/,
    hint: /this machine's clock/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },

  // --------------------------------------------------------------------------------------------- chain and oracle
  {
    what: "no RPC endpoint",
    change: () => ({ HOMEPRICE_RPC_URL: "" }),
    failed: ["rpc"],
    found: /no RPC endpoint is configured/,
    hint: /HOMEPRICE_RPC_URL/,
    stillOk: SERVICE_CHECKS,
  },
  {
    what: "an RPC endpoint that is down, with a secret in its address",
    change: () => ({ HOMEPRICE_RPC_URL: `${fixture.nowhere}/v2/sim_key_that_no_output_may_show` }),
    failed: ["rpc"],
    found: /http:\/\/127\.0\.0\.1:\d+ does not answer/,
    hint: /HOMEPRICE_RPC_URL/,
    stillOk: [...SERVICE_CHECKS, "sender-key", "clock"],
  },
  {
    what: "one of two RPC endpoints that is down",
    change: () => ({
      HOMEPRICE_RPC_URL: `${fixture.nowhere}/v2/sim_key_that_no_output_may_show,${fixture.environment["HOMEPRICE_RPC_URL"]}`,
    }),
    warned: ["rpc"],
    found: /^1\. http:\/\/127\.0\.0\.1:\d+ does not answer: .*; 2\. http:\/\/127\.0\.0\.1:\d+ answers$/,
    hint: /goes on with the others/,
    stillOk: [...SERVICE_CHECKS, "chain-id", "oracle", "feeds", "balance"],
  },
  {
    what: "a wrong chain id",
    change: () => ({ HOMEPRICE_CHAIN_ID: "8453" }),
    failed: ["chain-id"],
    found: /is chain 31337; the configuration says 8453/,
    hint: /HOMEPRICE_CHAIN_ID.*HOMEPRICE_RPC_URL/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "oracle-layout", "balance"],
    // The chain that is configured is no local one, and nobody would be told of anything.
    warned: ["alerts"],
  },
  {
    what: "no oracle",
    change: () => ({ HOMEPRICE_ORACLE_ADDRESS: "", HOMEPRICE_DEPLOYMENTS_DIRECTORY: "/nonexistent" }),
    failed: ["oracle"],
    found: /no oracle is known on chain 31337/,
    hint: /HOMEPRICE_ORACLE_ADDRESS.*homeprice deploy/,
    stillOk: [...SERVICE_CHECKS, "rpc", "chain-id", "balance"],
  },
  {
    what: "an address without a contract",
    change: () => ({ HOMEPRICE_ORACLE_ADDRESS: `0x${"12".repeat(20)}` }),
    failed: ["oracle"],
    found: /no contract at 0x1212/,
    hint: /HOMEPRICE_ORACLE_ADDRESS/,
    stillOk: [...SERVICE_CHECKS, "rpc", "chain-id", "balance"],
  },
  {
    what: "an address with another contract",
    // The deterministic deployment proxy, which every deployment of ours needs.
    change: () => ({ HOMEPRICE_ORACLE_ADDRESS: "0x4e59b44847b379578588920cA78FbF26c0B4956C" }),
    failed: ["oracle"],
    found: /is no home price oracle/,
    hint: /Correct oracleAddress/,
    stillOk: [...SERVICE_CHECKS, "rpc", "chain-id", "balance"],
  },
  {
    what: "an address book that is none",
    change: async () => ({
      HOMEPRICE_ORACLE_ADDRESS: "",
      HOMEPRICE_DEPLOYMENTS_DIRECTORY: await folderWith({ "31337.json": "{}" }),
    }),
    failed: ["oracle"],
    found: /does not hold a deployment/,
    hint: /Deploy again/,
    stillOk: [...SERVICE_CHECKS, "rpc", "chain-id", "balance"],
  },
  {
    what: "another rental offset",
    change: () => ({ HOMEPRICE_RENTAL_OFFSET: "3000000000" }),
    failed: ["oracle-settings", "message"],
    found: /rentalOffset is 2000000000 in the oracle, 3000000000 in the configuration/,
    hint: /HOMEPRICE_RENTAL_OFFSET/,
    stillOk: ["api-key", "prices", "signature", "rpc", "oracle", "feeds", "balance"],
  },
  {
    what: "another bound of the time windows",
    change: () => ({ HOMEPRICE_MAX_EXPIRY_AFTER_DATE_SECONDS: "250000" }),
    failed: ["oracle-settings"],
    found: /maxExpiryAfterDateMs is 259200000 in the oracle, 250000000 here/,
    hint: /maxExpiryAfterDateSeconds/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "oracle-layout", "feeds", "balance"],
  },
  {
    what: "a signer that the oracle does not know",
    change: () => served({ secretKey: new Uint8Array(32).fill(9) }),
    failed: ["oracle-signer"],
    found: /the oracle accepts no price of 0x.*; it accepts 0x[0-9a-f]{64} \(signer 1\)/,
    hint: /have the oracle's owner propose this signer/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a service whose format has changed since the oracle was deployed",
    change: async () => ({
      ...(await served({ layout: EXPONENT_LAYOUT })),
      HOMEPRICE_LAYOUT: JSON.stringify(EXPONENT_LAYOUT),
    }),
    failed: ["oracle-layout"],
    found: /not the one that the oracle holds for signer 1, and the service's messages fit the configured one/,
    hint: /have the oracle's owner propose a signer with this layout/i,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "feeds that nobody has brought yet",
    change: () => ({ HOMEPRICE_MARKETS: `5826765,${SALES_ONLY_MARKET}:sales` }),
    warned: ["feeds"],
    found: /1 of 3 feeds have no price yet: market 5503877 \(sales\): NoPrice/,
    hint: /homeprice relay --once/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },

  // --------------------------------------------------------------------------------------------------------- sender
  {
    what: "no private key",
    change: () => ({ HOMEPRICE_PRIVATE_KEY: "" }),
    failed: ["sender-key"],
    found: /no key to send transactions with/,
    hint: /HOMEPRICE_PRIVATE_KEY/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a private key that is zero",
    change: () => ({ HOMEPRICE_PRIVATE_KEY: `0x${"00".repeat(32)}` }),
    failed: ["sender-key"],
    found: /the private key is none/,
    hint: /32 bytes in hex/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "two places of the sender's key",
    change: () => ({ HOMEPRICE_KEYSTORE_FILE: "keystore.json" }),
    failed: ["configuration"],
    found: /HOMEPRICE_PRIVATE_KEY and HOMEPRICE_KEYSTORE_FILE each say where the sender's key is/,
    hint: /Keep the one that is meant/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds", "fees", "budget"],
  },
  {
    what: "a keystore that is not there",
    change: () => ({ ...keystore("/nonexistent/keystore.json"), HOMEPRICE_KEYSTORE_PASSWORD: PASSWORD }),
    failed: ["sender-key"],
    found: /the file named by keystoreFile cannot be read/,
    hint: /HOMEPRICE_KEYSTORE_FILE/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a keystore without a password",
    change: async () => keystore(await keystoreFile()),
    failed: ["sender-key"],
    found: /there is no password for the keystore/,
    hint: /HOMEPRICE_KEYSTORE_PASSWORD.*keystorePasswordFile/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a keystore with another password",
    change: async () => ({ ...keystore(await keystoreFile()), HOMEPRICE_KEYSTORE_PASSWORD: `${PASSWORD}!` }),
    failed: ["sender-key"],
    found: /does not open with this password/,
    hint: /Check the password/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "the key of another sender than the one that is named",
    change: () => ({ HOMEPRICE_SENDER_ADDRESS: `0x${"12".repeat(20)}` }),
    failed: ["sender-key"],
    found: /the sender's key is that of 0x70997970.*, and senderAddress is 0x1212/,
    hint: /HOMEPRICE_SENDER_ADDRESS/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a remote signer without the sender's address",
    change: () => ({ HOMEPRICE_PRIVATE_KEY: "", HOMEPRICE_REMOTE_SIGNER_URL: fixture.nowhere }),
    failed: ["configuration"],
    found: /senderAddress is not set: HOMEPRICE_REMOTE_SIGNER_URL does not say/,
    hint: /HOMEPRICE_SENDER_ADDRESS/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a remote signer that is down",
    change: () => remoteSigner(`${fixture.nowhere}/sim_key_that_no_output_may_show`),
    failed: ["sender-key"],
    found: /the remote signer http:\/\/127\.0\.0\.1:\d+ does not answer eth_accounts/,
    hint: /Check that it runs/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "a remote signer without the sender's key",
    // A node of ours has the keys of development, and signs with them.
    change: () => remoteSigner(rpcUrl(), `0x${"12".repeat(20)}`),
    failed: ["sender-key"],
    found: /does not have the key of 0x1212/,
    hint: /Give the signer this key/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds"],
  },
  {
    what: "fees above the cap",
    change: () => ({ HOMEPRICE_MAX_FEE_PER_GAS_GWEI: "0.000001" }),
    failed: ["fees"],
    found: /the chain asks for [\d.]+ gwei; the cap is 0\.000001 gwei/,
    hint: /Nothing is sent while fees are above the cap. Raise maxFeePerGasGwei \(HOMEPRICE_MAX_FEE_PER_GAS_GWEI\)/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a budget that is not enough for a day",
    change: () => ({ HOMEPRICE_DAILY_BUDGET: "0.000001" }),
    failed: ["budget"],
    found: /4 feeds cost about 0\.000\d+ a day in native currency; the daily budget is 0\.000001/,
    hint: /Raise dailyBudget \(HOMEPRICE_DAILY_BUDGET\)/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a node that does not say what is finalized",
    change: async () => {
      const proxy = await startRpcProxy(rpcUrl());
      proxy.onCall = ({ method, params }) =>
        method === "eth_getBlockByNumber" && params[0] === "finalized"
          ? { error: { code: -39_001, message: "unknown block" } }
          : undefined;
      return { HOMEPRICE_RPC_URL: proxy.url, HOMEPRICE_FINALITY: "finalized" };
    },
    failed: ["finality"],
    found: /does not say which block is final: .*unknown block/,
    hint: /Set finality \(HOMEPRICE_FINALITY\) to the number of blocks/,
    stillOk: [...SERVICE_CHECKS, ...CHAIN_CHECKS],
  },
  {
    what: "a sender without balance",
    change: async () => ({ HOMEPRICE_PRIVATE_KEY: await fixture.newSender(0n) }),
    failed: ["balance"],
    found: /holds 0 in native currency: enough for 0 days, with 4 feeds a day/,
    hint: /Send native currency to 0x/,
    stillOk: [...SERVICE_CHECKS, "rpc", "oracle", "feeds", "sender-key"],
  },
];

test("more than two dozen broken configurations are tried", () => {
  expect(BROKEN.length).toBeGreaterThan(24);
});

test.each(BROKEN)("$what", async ({ change, options, failed = [], warned = [], found, hint, stillOk }) => {
  const report = await fixture.examine(await change(), options);

  expect(namesOf(report, "failed").toSorted()).toEqual([...failed].toSorted());
  expect(namesOf(report, "warning").toSorted()).toEqual([...warned].toSorted());
  const name = failed[0] ?? warned[0] ?? "configuration";
  expect(checkOf(report, name).found).toMatch(found);
  expect(hintOf(report, name)).toMatch(hint);
  for (const each of stillOk) expect(checkOf(report, each)).toMatchObject({ name: each, status: "ok" });
  expect(report.ok).toBe(failed.length === 0);
  expectNoSecrets(JSON.stringify(report));
});

describe("what changes while the configuration stays", () => {
  test("credits that do not last", async () => {
    const report = await fixture.examine(await served({ plan: { credits: 42 } }));
    expect(namesOf(report, "warning")).toEqual(["limits"]);
    expect(checkOf(report, "limits").found).toBe("40 credits are left; at 4 a day for 4 feeds they last for 10 days");
    expect(hintOf(report, "limits")).toMatch(/Buy credits/);
  });

  test("a balance that does not last", async () => {
    const gasPrice = await fixture.connection.publicClient.getGasPrice();
    const limits = { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n };
    const report = await fixture.examine({
      HOMEPRICE_PRIVATE_KEY: await fixture.newSender(3n * gasPrice * gasOfUpdates(4, limits)),
    });
    expect(namesOf(report, "warning")).toEqual(["balance"]);
    expect(checkOf(report, "balance").found).toMatch(/enough for \d days, with 4 feeds a day \(329000 gas\)/);
    expect(hintOf(report, "balance")).toMatch(/Send native currency to 0x/);
  });

  test("a balance that lasts for fewer days than are configured", async () => {
    const gasPrice = await fixture.connection.publicClient.getGasPrice();
    const limits = { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n };
    const forHundredDays = 100n * gasPrice * gasOfUpdates(4, limits);
    const changes = { HOMEPRICE_PRIVATE_KEY: await fixture.newSender(forHundredDays) };
    expect(namesOf(await fixture.examine(changes), "warning")).toEqual([]);
    const warned = await fixture.examine({ ...changes, HOMEPRICE_BALANCE_WARNING_DAYS: "365" });
    expect(namesOf(warned, "warning")).toEqual(["balance"]);
  });

  test("fees that come near the cap", async () => {
    const gasPrice = await fixture.connection.publicClient.getGasPrice();
    const report = await fixture.examine({ HOMEPRICE_MAX_FEE_PER_GAS_GWEI: formatGwei((gasPrice * 3n) / 2n) });
    expect(namesOf(report, "warning")).toEqual(["fees"]);
    expect(hintOf(report, "fees")).toMatch(/or wait until they fall/);
  });

  test("a clock that is ten minutes fast", async () => {
    const report = await fixture.examine({}, { nowMs: () => BigInt(Date.now() + 600_000) });
    expect(namesOf(report, "failed")).toEqual(["clock"]);
    expect(checkOf(report, "clock").found).toMatch(
      /service's clock is (59|60)\d s behind.*latest block is \d{3} s behind/,
    );
    expect(hintOf(report, "clock")).toMatch(/Service and chain agree.*this machine's clock is wrong/);
  });

  test("a clock that is a minute slow", async () => {
    const report = await fixture.examine({}, { nowMs: () => BigInt(Date.now() - 60_000) });
    expect(namesOf(report, "warning")).toEqual(["clock"]);
    expect(checkOf(report, "clock").found).toMatch(/service's clock is [56]\d s ahead/);
  });

  test("a service whose clock is wrong", async () => {
    const { url } = await fixture.serve({ faults: [{ kind: "clock-skew", milliseconds: 120_000 }] });
    const report = await fixture.examine({ HOMEPRICE_API_URL: url });
    expect(namesOf(report, "warning")).toEqual(["clock"]);
    expect(checkOf(report, "clock").found).toMatch(/service's clock is 1[12]\d s ahead.*latest block is/);
    expect(hintOf(report, "clock")).toMatch(/One of the clocks is wrong/);
  });

  test("an edition that is late", async () => {
    // Three hours after an edition, with a schedule that expected another an hour ago.
    vi.useFakeTimers({ toFake: ["Date"], now: Number(editionAt(BigInt(Date.now())).publishTimeMs) + 3 * 3_600_000 });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const report = await fixture.examine({ HOMEPRICE_SCHEDULE: "30 9 * * *" });
    expect(checkOf(report, "edition")).toMatchObject({ status: "warning" });
    expect(checkOf(report, "edition").found).toMatch(/not there yet: newest sales price of \d{4}-\d\d-\d\d/);
    expect(hintOf(report, "edition")).toMatch(/The service is late/);
  });

  test("a feed whose reads are paused", async () => {
    const guardian = privateKeyToAccount(LOCAL_OWNER_KEY);
    const send = createTransactionSender(fixture.connection, guardian, 10_000, () => {});
    const call = (functionName: "pauseFeed" | "unpauseFeed") =>
      send(functionName, {
        to: fixture.oracle,
        data: encodeFunctionData({ abi: homePriceOracleAbi, functionName, args: [5_822_447n] }),
      });
    await call("pauseFeed");
    try {
      const report = await fixture.examine();
      expect(namesOf(report, "failed")).toEqual(["feeds"]);
      expect(checkOf(report, "feeds").found).toMatch(/1 of 4 feeds are not served: market 5822447 \(sales\): Paused/);
      expect(hintOf(report, "feeds")).toMatch(/owner serves them again/);
    } finally {
      await call("unpauseFeed");
    }
  });
});

describe("a configuration that is in order", () => {
  test("every check is ok, and a credit is spent for each kind", async () => {
    const service = await fixture.serve();
    const report = await fixture.examine({ HOMEPRICE_API_URL: service.url });
    expect(report.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(report).toMatchObject({ ok: true });
    expect(checkOf(report, "limits").found).toMatch(/^999998 credits are left/);
    expect(checkOf(report, "prices").found).toMatch(/2 other feeds were not asked for \(--all-markets/);
    expectNoSecrets(JSON.stringify(report));
  });

  test("with all markets, every wanted price is asked for", async () => {
    const service = await fixture.serve();
    const report = await fixture.examine({ HOMEPRICE_API_URL: service.url }, { allMarkets: true });
    expect(report.ok).toBe(true);
    expect(checkOf(report, "limits").found).toMatch(/^999996 credits are left/);
  });

  test("without a configured signer, those of service and oracle are enough", async () => {
    const report = await fixture.examine({ HOMEPRICE_SIGNER_PUBLIC_KEY: "" });
    expect(report.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  });

  test("a keystore that opens, and a remote signer that has the key, are as good as a private key", async () => {
    const changes = { ...keystore(await keystoreFile()), HOMEPRICE_KEYSTORE_PASSWORD: PASSWORD };
    const ofKeystore = await fixture.examine(changes);
    expect(ofKeystore.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(checkOf(ofKeystore, "sender-key").found).toMatch(/sent by 0x70997970.*, whose keystore opens/);
    const ofSigner = await fixture.examine(remoteSigner(rpcUrl()));
    expect(ofSigner.checks.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(checkOf(ofSigner, "sender-key").found).toMatch(/sent by 0x70997970.*, which the remote signer signs for/);
  });

  test("whoever is told is named by host alone", async () => {
    const report = await fixture.examine({
      HOMEPRICE_WEBHOOK_URL: "https://hooks.example/sim_key_that_no_output_may_show",
      HOMEPRICE_HEARTBEAT_URL: "https://beat.example/sim_key_that_no_output_may_show",
      HOMEPRICE_LISTEN: "127.0.0.1:9464",
    });
    expect(checkOf(report, "alerts")).toMatchObject({
      status: "ok",
      found:
        "alerts go to https://hooks.example; a heartbeat goes to https://beat.example every 5 min; metrics and health are served at 127.0.0.1:9464",
    });
    expectNoSecrets(JSON.stringify(report));
  });

  test("a store in the working directory's own words", async () => {
    const report = await fixture.examine({ HOMEPRICE_STORE: "test-doctor-store/below" });
    expect(checkOf(report, "store")).toMatchObject({ status: "ok" });
    expect(existsSync("test-doctor-store")).toBe(false);
  });

  test("no transaction is sent, and the store is left as it was", async () => {
    const sender = privateKeyToAccount(LOCAL_RELAYER_KEY).address;
    const store = join(await folderWith(), "new", "journal.sqlite");
    const sent = () => fixture.connection.publicClient.getTransactionCount({ address: sender, blockTag: "pending" });
    const before = await sent();
    expect((await fixture.examine({ HOMEPRICE_STORE: store })).ok).toBe(true);
    expect(await sent()).toBe(before);
    expect(existsSync(dirname(store))).toBe(false);
  });
});

describe("the command", () => {
  const doctor = (changes: Environment, ...options: string[]) =>
    runCommand(["doctor", ...options], { ...fixture.environment, ...changes });

  test("with everything in order prints the report as one document, and exits with 0", async () => {
    const finished = await doctor({}, "--json");
    expect(finished.exitCode).toBe(0);
    const { ok, checks } = finished.document();
    expect(ok).toBe(true);
    expect(checks.map(({ name }: { name: string }) => name)).toEqual(ALL_CHECKS.map(({ name }) => name));
    for (const check of checks) expect(check).toEqual({ name: check.name, status: "ok", found: expect.any(String) });
    expectNoSecrets(finished.stdout + finished.stderr);
  });

  test("with something failed tells it in words, and exits with 1", async () => {
    const finished = await doctor({ HOMEPRICE_API_KEY: "sim_wrong_key", HOMEPRICE_APIKEY: "sim_wrong_key" });
    expect(finished.exitCode).toBe(1);
    const lines = finished.stdout.split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^warning {2}environment +HOMEPRICE_APIKEY is no variable/));
    expect(lines).toContainEqual(expect.stringMatching(/^failed {3}api-key +POST .* answered 401/));
    expect(lines).toContainEqual(expect.stringMatching(/^ +-> The service does not know this API key/));
    expect(lines).toContainEqual(expect.stringMatching(/^skipped {2}plan +not looked at: api-key failed/));
    expect(lines).toContainEqual(expect.stringMatching(/^ok {7}rpc +http:/));
    expect(lines).toContainEqual(expect.stringMatching(/^30 checks: 1 failed, 1 warning, \d skipped, \d\d ok\.$/));
    expect(finished.stdout + finished.stderr).not.toContain("sim_wrong_key");
  });

  test("with a configuration that cannot be used exits with 2, and runs the other checks", async () => {
    const finished = await doctor({ HOMEPRICE_SCHEDULE: "daily" }, "--json");
    expect(finished.exitCode).toBe(2);
    const { ok, checks } = finished.document();
    expect(ok).toBe(false);
    const statuses = Object.fromEntries(checks.map(({ name, status }: CheckResult) => [name, status]));
    expect(statuses).toMatchObject({ configuration: "failed", schedule: "skipped", "api-key": "ok", balance: "ok" });
  });

  test("tells in its help what it costs and what it checks", async () => {
    const { stdout, exitCode } = await doctor({}, "--help");
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/a credit each \(at most\s2\)/);
    for (const { name, about } of ALL_CHECKS) expect(stdout).toMatch(new RegExp(`^ {2}${name} +${about}$`, "m"));
  });
});

test("what a check needs stands before it", () => {
  const names = ALL_CHECKS.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [index, { needs }] of ALL_CHECKS.entries()) {
    expect(names.slice(0, index)).toEqual(expect.arrayContaining([...needs]));
  }
});

test("what is skipped names the check that failed, however many lie between", async () => {
  const report = await fixture.examine({ HOMEPRICE_RPC_URL: fixture.nowhere });
  expect(checkOf(report, "oracle-layout")).toEqual({
    name: "oracle-layout",
    status: "skipped",
    found: "not looked at: rpc failed",
  });
});

test("the gas that updates are taken to cost is what they were measured to cost", () => {
  const limits = { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n };
  for (const count of [1, 10, 100]) {
    const measured = measuredGas[`later prices, hinted form, ${count} in a transaction` as keyof typeof measuredGas];
    const gas = Number.parseInt(measured, 10) * (measured.endsWith("each") ? count : 1);
    expect(Number(gasOfUpdates(count, limits)) / gas).toBeCloseTo(1, 1);
  }
  // Two transactions for what one does not take.
  expect(gasOfUpdates(101, limits) - gasOfUpdates(100, limits)).toBeGreaterThan(100_000n);
});

function expectNoSecrets(text: string): void {
  expect(text).not.toContain("sim_key_that_no_output_may_show");
  expect(text).not.toContain(LOCAL_RELAYER_KEY.slice(2));
}
