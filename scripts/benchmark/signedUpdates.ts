import { type Address, bytesToHex, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { type BenchmarkChain, NOW_MS } from "./benchmarkChain.ts";
import { traceCall } from "./callTrace.ts";
import type { BenchmarkSigner } from "./signedMessages.ts";
import type { Form } from "./verifierGas.ts";

export const HOUR_MS = 3_600_000n;
export const DAY_MS = 24n * HOUR_MS;

/** The number by which an update names the oracle's only signer. */
export const SIGNER_NUMBER = 1;

/** How many updates are sent in a transaction beforehand: few enough for its gas. */
const UPDATES_STORED_AT_ONCE = 50;

/** What has feeds of its own, each 100 market ids. */
const MEASUREMENTS = [
  "existing",
  "beginning",
  "new",
  "pull",
  "history begun",
  "history corrected",
  "history beginning",
  "band",
  "out of band",
  "reads",
] as const;

const FIRST_MARKET = 5_826_000n;
const MARKETS_OF_A_MEASUREMENT = 100n;

/** The first market id of a measurement; the others follow. */
export function firstMarketOf(measurement: (typeof MEASUREMENTS)[number]): bigint {
  return FIRST_MARKET + BigInt(MEASUREMENTS.indexOf(measurement)) * MARKETS_OF_A_MEASUREMENT;
}

/** The prices of one date, which is that of the publish time. */
export type Edition = {
  readonly publishTimeMs: bigint;
  readonly expiryMs: bigint;
  /** Of the first market, 8 decimals; each further one's is 0.01 USD higher. */
  readonly firstPrice: bigint;
};

/** An hour ago, and the two days before that; all still unexpired. */
export const TODAY: Edition = {
  publishTimeMs: BigInt(NOW_MS) - HOUR_MS,
  expiryMs: BigInt(NOW_MS) + 12n * HOUR_MS,
  firstPrice: 21_694_000_000n,
};
export const YESTERDAY: Edition = {
  publishTimeMs: TODAY.publishTimeMs - DAY_MS,
  expiryMs: BigInt(NOW_MS) + 6n * HOUR_MS,
  firstPrice: 21_687_000_000n,
};
/** Half an hour later than today's, which it corrects. */
export const TODAY_LATER: Edition = {
  ...TODAY,
  publishTimeMs: TODAY.publishTimeMs + HOUR_MS / 2n,
  firstPrice: TODAY.firstPrice + 5_000_000n,
};
export const DAY_BEFORE_YESTERDAY: Edition = { ...YESTERDAY, publishTimeMs: YESTERDAY.publishTimeMs - 22n * HOUR_MS };

/** Days since 1970-01-01. */
export function dayOf({ publishTimeMs }: Edition): number {
  return Number(publishTimeMs / DAY_MS);
}

/** The price of the market that is so many after the first, 8 decimals. */
export function priceOf({ firstPrice }: Edition, index: number): bigint {
  return firstPrice + BigInt(index) * 1_000_000n;
}

/** Updates of consecutive markets. */
export function updatesOf(
  signer: BenchmarkSigner,
  edition: Edition,
  firstMarket: bigint,
  count: number,
  form: Form = "hinted",
): Hex[] {
  return Array.from({ length: count }, (_, index) => {
    const message = encodePriceMessage(
      {
        feedId: firstMarket + BigInt(index),
        priceMantissa: priceOf(edition, index),
        priceExponent: -8,
        publishTimeMs: edition.publishTimeMs,
        expiryMs: edition.expiryMs,
        date: dateOfDay(dayOf(edition)),
      },
      DEFAULT_LAYOUT,
    );
    const { signature, xOfR } = signer.sign(message);
    const hint = form === "hinted" ? { signerNumber: SIGNER_NUMBER, xOfR } : undefined;
    return bytesToHex(encodeUpdate(message, signature, hint));
  });
}

export function updatePricesData(updates: readonly Hex[]): Hex {
  return encodeFunctionData({ abi: homePriceOracleAbi, functionName: "updatePrices", args: [updates] });
}

/**
 * What `updatePrices` executes, all of whose updates are stored; as called by an account.
 * @throws Error if the oracle does not store one.
 */
export async function executionOfUpdates(
  chain: BenchmarkChain,
  oracle: Address,
  updates: readonly Hex[],
): Promise<number> {
  const frame = await traceCall(chain, { to: oracle, data: updatePricesData(updates) });
  if (frame === undefined) throw new Error(`${updates.length} updates take more gas than a transaction may have`);
  const stored = decodeFunctionResult({ abi: homePriceOracleAbi, functionName: "updatePrices", data: frame.output });
  if (stored.includes(false)) throw new Error(`the oracle stored [${stored}]`);
  return frame.gasUsed;
}

/** Gives feeds what they have before something is measured. */
export async function store(chain: BenchmarkChain, oracle: Address, updates: readonly Hex[]): Promise<void> {
  for (let start = 0; start < updates.length; start += UPDATES_STORED_AT_ONCE) {
    const data = updatePricesData(updates.slice(start, start + UPDATES_STORED_AT_ONCE));
    await chain.send("store earlier prices", { to: oracle, data });
  }
}
