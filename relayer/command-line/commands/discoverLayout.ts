import { availableParallelism } from "node:os";
import { InvalidArgumentError, Option } from "commander";
import { hexToBytes, isHex } from "viem";
import type { Configuration } from "../../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { wantedFeeds } from "../../configuration/wantedFeeds.ts";
import { configuredClient } from "../../configured/configuredClient.ts";
import { HomePriceError } from "../../errors/HomePriceError.ts";
import type { Logger } from "../../logging/logger.ts";
import { discoverLayout } from "../../message/discovery/discoverLayout.ts";
import type { DiscoveryItem } from "../../message/discovery/knownValues.ts";
import type { LayoutDiscovery } from "../../message/discovery/layoutDiscovery.ts";
import { MAX_ITEMS } from "../../message/discovery/usableItems.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../../message/ed25519.ts";
import { FEED_KINDS, type FeedKind } from "../../message/feedId.ts";
import { MESSAGE_LENGTH } from "../../message/messageLayout.ts";
import { getLatestPrices } from "../../service/getLatestPrices.ts";
import { resolveResponseFields } from "../../service/latestResponseFields.ts";
import { plural } from "../../wording/plural.ts";
import { defineCommand } from "../commonOptions.ts";
import { count, formatFoundLayout, foundDocument, reportNothing } from "../layoutReport.ts";
import { EXIT_DONE, print } from "../output.ts";
import { startProgress } from "../progressBar.ts";
import { readInput } from "../readInput.ts";
import { readSignedItems, type SignedItems } from "../signedItems.ts";
import { unlessStopped, untilStopped } from "../untilStopped.ts";

type DiscoverLayoutCommandOptions = {
  readonly from?: readonly string[];
  readonly kind?: FeedKind;
  readonly publicKey?: string;
  readonly domain?: readonly Uint8Array[];
  readonly wide?: boolean;
  readonly estimate?: boolean;
};

/** So many markets of each kind are asked for; more would settle no more. */
const LIVE_MARKETS = 3;

/** With more constant regions there are too many places for them. */
const MAX_DOMAINS = 4;

const EXPLANATION = `
Takes the signed items of one or more saved answers (- is standard input), or asks the service for the latest prices of
the first configured markets, which costs a credit each.

With the signed bytes in the items: finds the five fields in any order, numbers of 4, 8, 16 or 32 bytes in either byte
order, times in seconds or milliseconds, 0 to 18 decimals or an exponent, among any constants and padding. At once.

Without them: tries fewer than 2 million layouts until signatures verify, on all cores, for up to a minute or two. One
byte order, no padding (--wide: one run of it, however long that takes), a version byte of 0 or 1, constant bytes only if
--domain gives them.

Several items, of different markets and days, settle what one leaves open.`;

export const discoverLayoutCommand = defineCommand<DiscoverLayoutCommandOptions>(
  "discover-layout",
  "find the layout of signed messages by trying layouts until the signatures of latest items verify",
  [
    "homeprice message discover-layout",
    "homeprice message discover-layout --from sales.json --from rental.json --public-key 0x…",
    "homeprice message discover-layout --from answer.json --domain 0xf2300b11… --json",
  ],
  (command) =>
    command
      .option("--from <file>", "saved answer, its items, or one item, in JSON; several times if need be", collectOne)
      .addOption(
        new Option("--kind <kind>", "which series the items belong to (default: both are tried)").choices(FEED_KINDS),
      )
      .option("--public-key <hex>", "32-byte key (default: signerPublicKey of the configuration, or the items' own)")
      .option("--domain <hex>", "constant bytes of the message; several times, in their order", collectDomain)
      .option("--wide", "where items lack their message: try padding and every arrangement, however long it takes")
      .option("--estimate", "print the credits that it may cost, and ask for nothing")
      .addHelpText("after", EXPLANATION),
  async ({ options, json, log, configuration: load }) => {
    const configuration = await load();
    if (options.estimate === true) {
      const asked = options.from === undefined ? marketsToAsk(configuration, options.kind) : [];
      const estimated = asked.reduce((sum, { marketIds }) => sum + marketIds.length, 0);
      print(json, { ok: true, credits: { estimated } }, () => `${plural(estimated, "credit")} at most.`);
      return EXIT_DONE;
    }
    const signal = untilStopped(log);
    const { items, unreadable } =
      options.from !== undefined
        ? await readSavedItems(options.from, options.kind, configuration)
        : await askForItems(options.kind, configuration, log, signal);
    if (items.length === 0) throw noItems(unreadable);
    for (const problem of unreadable) log.warn(`not used: ${problem}`);
    if (items.length > MAX_ITEMS) log.info(`of ${items.length} items the first ${MAX_ITEMS} are looked at`);
    const key = keyOf(options.publicKey, configuration, items, log);
    const found = await unlessStopped(signal, discover(items, key, options, configuration, { log, signal }));
    if (!found.found) return reportNothing(found, options, json);
    print(json, foundDocument(found, key), () => formatFoundLayout(found, key, Math.min(items.length, MAX_ITEMS)));
    return EXIT_DONE;
  },
);

function collectOne(path: string, previous: readonly string[] = []): string[] {
  return [...previous, path];
}

function collectDomain(text: string, previous: readonly Uint8Array[] = []): Uint8Array[] {
  const regions = text.split(",").map((part) => {
    const hex = part.trim().replace(/^(0x)?/i, "0x");
    const bytes = isHex(hex) && hex.length % 2 === 0 ? hexToBytes(hex) : new Uint8Array();
    if (bytes.length > 0 && bytes.length < MESSAGE_LENGTH) return bytes;
    throw new InvalidArgumentError(`"${part}" is not 1 to ${MESSAGE_LENGTH - 1} bytes of hex.`);
  });
  if (previous.length + regions.length <= MAX_DOMAINS) return [...previous, ...regions];
  throw new InvalidArgumentError(`at most ${MAX_DOMAINS} constant regions can be given; join those that touch.`);
}

async function readSavedItems(
  paths: readonly string[],
  kind: FeedKind | undefined,
  { responseFields, idPrefix }: Configuration,
): Promise<SignedItems> {
  const fields = resolveResponseFields(responseFields, idPrefix);
  const files: SignedItems[] = [];
  for (const path of paths) {
    const name = path === "-" ? "standard input" : path;
    files.push(readSignedItems(await readInput(path), name, { fields, kind }));
  }
  return {
    items: files.flatMap(({ items }) => items),
    unreadable: files.flatMap(({ unreadable }) => unreadable),
  };
}

async function askForItems(
  only: FeedKind | undefined,
  configuration: Configuration,
  log: Logger,
  signal: AbortSignal,
): Promise<SignedItems> {
  const client = configuredClient(configuration, log);
  const items: DiscoveryItem[] = [];
  const unreadable: string[] = [];
  for (const { kind, marketIds } of marketsToAsk(configuration, only)) {
    const latest = await unlessStopped(signal, getLatestPrices(client, { marketIds, kind, signal }));
    items.push(...latest.received);
    unreadable.push(
      ...latest.refused.map(({ marketId, refusal }) => `${kind} price of market ${marketId}: ${refusal.message}`),
      ...latest.missing.map((marketId) => `${kind} price of market ${marketId}: the service has none`),
      ...latest.rejected.map(({ marketId, error }) => `${kind} price of market ${marketId}: ${error.message}`),
    );
  }
  return { items, unreadable };
}

/** The first configured markets of each kind; a price costs a credit. */
function marketsToAsk(
  configuration: Configuration,
  only: FeedKind | undefined,
): { readonly kind: FeedKind; readonly marketIds: bigint[] }[] {
  const feeds = wantedFeeds(configuration);
  return FEED_KINDS.filter((kind) => only === undefined || kind === only)
    .map((kind) => ({
      kind,
      marketIds: feeds.flatMap((feed) => (feed.kind === kind ? [feed.marketId] : [])).slice(0, LIVE_MARKETS),
    }))
    .filter(({ marketIds }) => marketIds.length > 0);
}

function noItems(unreadable: readonly string[]): HomePriceError {
  return new HomePriceError("NO_SIGNED_ITEMS", `there is no signed item to look at: ${unreadable.join("; ")}`, {
    hint: "Give items with a market id and a signature; responseFields names the fields that hold them.",
  });
}

/** The key that was given or is configured, else the one that most of the items name. */
function keyOf(
  given: string | undefined,
  { signerPublicKey }: Configuration,
  items: readonly DiscoveryItem[],
  log: Logger,
): Ed25519PublicKey {
  const hex = given ?? signerPublicKey;
  if (hex !== undefined) {
    const prefixed = hex.replace(/^(0x)?/i, "0x");
    if (isHex(prefixed) && prefixed.length % 2 === 0) return decodePublicKey(hexToBytes(prefixed));
    throw new InvalidConfigurationError("USAGE", "--public-key is not hex", "Give the 32 bytes of the key in hex.");
  }
  const named = items.flatMap(({ publicKey }) => (publicKey ? [publicKey] : []));
  const counts = new Map<string, { key: Uint8Array; count: number }>();
  for (const key of named) {
    const name = key.join();
    counts.set(name, { key, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  const most = [...counts.values()].find(({ count }) => 2 * count > named.length);
  if (most) {
    const key = decodePublicKey(most.key);
    log.warn(`the key ${key.hex} is the items' own: make sure that it is the service's before you configure it`);
    return key;
  }
  throw new InvalidConfigurationError(
    "NO_SIGNER_PUBLIC_KEY",
    named.length === 0 ? "there is no public key to verify with" : "the items name different public keys",
    "Give --public-key, or set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY).",
  );
}

async function discover(
  items: readonly DiscoveryItem[],
  key: Ed25519PublicKey,
  { domain, wide }: DiscoverLayoutCommandOptions,
  { rentalOffset }: Configuration,
  { log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
): Promise<LayoutDiscovery> {
  const progress = startProgress("layouts");
  let [expected, shown] = [0, 0];
  try {
    return await discoverLayout(items, {
      key,
      rentalOffset,
      constants: domain,
      wide: wide === true,
      signal,
      onSearch: ({ candidates, signatureChecks, feedId }) => {
        const cores = count(availableParallelism(), "core");
        log.info(
          { candidates, signatureChecks, feedId: feedId.toString() },
          `no item has its message: trying ${count(candidates, "layout")} (${count(signatureChecks, "message")}) for feed ${feedId} on ${cores}`,
        );
        expected += candidates;
        progress.expect(expected);
      },
      onProgress: (tried) => {
        progress.advance(tried - shown);
        shown = tried;
      },
    });
  } finally {
    progress.stop();
  }
}
