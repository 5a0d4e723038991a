import { type Address, bytesToHex, decodeFunctionResult, encodeFunctionData, type Hex } from "viem";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { type BenchmarkChain, NOW_MS } from "./benchmarkChain.ts";
import { callsTo, type TransactionGas, traceTransaction } from "./callTrace.ts";
import type { BenchmarkSigner } from "./signedMessages.ts";
import type { Form, MeasuredVerifier } from "./verifierGas.ts";

export const UPDATE_COUNTS = [1, 10, 100] as const;
const MOST_UPDATES = 100;
/** How many of them are sent in a transaction beforehand: few enough for its gas. */
const UPDATES_STORED_AT_ONCE = 50;

/** The market ids of the prices start here, the rest follow. */
const FIRST_MARKET = 5_826_000n;
const FIRST_BEGINNING_MARKET = FIRST_MARKET + BigInt(MOST_UPDATES);
const FIRST_NEW_MARKET = FIRST_BEGINNING_MARKET + BigInt(MOST_UPDATES);

const HOUR_MS = 3_600_000n;
const DAY_MS = 24n * HOUR_MS;

/** The number by which an update names the oracle's only signer. */
const SIGNER_NUMBER = 1;

/**
 * What the feeds have before the updates come: the price of the day before, whose date shares a slot of the history with
 * the updates'; the one of the day before that, so that the updates begin a slot; none; or the same price.
 */
export const FEEDS = ["existing", "beginning", "new", "skipped"] as const;
export type Feeds = (typeof FEEDS)[number];

export type UpdateGas = TransactionGas & {
  /** What of the execution verifiers use, including the contracts that hash for them. */
  readonly verification: number;
};

/** By number of updates; `null` where a transaction's gas is not enough. */
export type UpdateFigures = Readonly<Record<Feeds, Readonly<Record<Form, Readonly<Record<string, UpdateGas | null>>>>>>;

/** Measures transactions that bring an oracle prices of its signer. */
export async function measureUpdates(
  chain: BenchmarkChain,
  oracle: Address,
  verifier: MeasuredVerifier,
): Promise<UpdateFigures> {
  await store(chain, oracle, updatesOf(verifier.signer, YESTERDAY, FIRST_MARKET, "hinted"));
  await store(chain, oracle, updatesOf(verifier.signer, DAY_BEFORE_YESTERDAY, FIRST_BEGINNING_MARKET, "hinted"));
  const measure = async (feeds: Feeds) => ({
    hinted: await measureForm(chain, oracle, verifier, feeds, "hinted"),
    plain: await measureForm(chain, oracle, verifier, feeds, "plain"),
  });
  return {
    existing: await measure("existing"),
    beginning: await measure("beginning"),
    new: await measure("new"),
    skipped: await measure("skipped"),
  };
}

async function measureForm(
  chain: BenchmarkChain,
  oracle: Address,
  { signer, address }: MeasuredVerifier,
  feeds: Feeds,
  form: Form,
) {
  const figures: Record<string, UpdateGas | null> = {};
  const updates = updatesOf(signer, feeds === "skipped" ? YESTERDAY : TODAY, FIRST_MARKETS[feeds], form);
  for (const count of UPDATE_COUNTS) {
    const data = updatePricesData(updates.slice(0, count));
    const traced = await traceTransaction(chain, { to: oracle, data });
    figures[count] = null;
    if (traced === undefined) continue;
    const { gas, frame } = traced;
    const stored = decodeFunctionResult({ abi: homePriceOracleAbi, functionName: "updatePrices", data: frame.output });
    if (stored.length !== count || stored.some((isStored) => isStored !== (feeds !== "skipped"))) {
      throw new Error(`of ${count} updates of ${feeds} feeds, the oracle stored [${stored}]`);
    }
    const verification = callsTo(frame, address).reduce((sum, { gasUsed }) => sum + gasUsed, 0);
    figures[count] = { ...gas, verification };
  }
  return figures;
}

/** Gives feeds what they have before. */
async function store(chain: BenchmarkChain, oracle: Address, updates: readonly Hex[]): Promise<void> {
  for (let start = 0; start < updates.length; start += UPDATES_STORED_AT_ONCE) {
    const data = updatePricesData(updates.slice(start, start + UPDATES_STORED_AT_ONCE));
    await chain.send("store earlier prices", { to: oracle, data });
  }
}

/** The prices of one day. */
type Edition = { readonly publishTimeMs: bigint; readonly expiryMs: bigint; readonly firstPrice: bigint };

/** An hour ago, and the two days before that; all still unexpired. */
const TODAY: Edition = {
  publishTimeMs: BigInt(NOW_MS) - HOUR_MS,
  expiryMs: BigInt(NOW_MS) + 12n * HOUR_MS,
  firstPrice: 21_694_000_000n,
};
const YESTERDAY: Edition = {
  publishTimeMs: TODAY.publishTimeMs - DAY_MS,
  expiryMs: BigInt(NOW_MS) + 6n * HOUR_MS,
  firstPrice: 21_687_000_000n,
};
const DAY_BEFORE_YESTERDAY: Edition = { ...YESTERDAY, publishTimeMs: YESTERDAY.publishTimeMs - 22n * HOUR_MS };

const FIRST_MARKETS: Readonly<Record<Feeds, bigint>> = {
  existing: FIRST_MARKET,
  beginning: FIRST_BEGINNING_MARKET,
  new: FIRST_NEW_MARKET,
  skipped: FIRST_MARKET,
};

function updatesOf(signer: BenchmarkSigner, edition: Edition, firstMarket: bigint, form: Form): Hex[] {
  return Array.from({ length: MOST_UPDATES }, (_, index) => {
    const message = encodePriceMessage(
      {
        feedId: firstMarket + BigInt(index),
        priceMantissa: edition.firstPrice + BigInt(index) * 1_000_000n,
        priceExponent: -8,
        publishTimeMs: edition.publishTimeMs,
        expiryMs: edition.expiryMs,
        date: dateOfDay(Number(edition.publishTimeMs / DAY_MS)),
      },
      DEFAULT_LAYOUT,
    );
    const { signature, xOfR } = signer.sign(message);
    const hint = form === "hinted" ? { signerNumber: SIGNER_NUMBER, xOfR } : undefined;
    return bytesToHex(encodeUpdate(message, signature, hint));
  });
}

function updatePricesData(updates: readonly Hex[]): Hex {
  return encodeFunctionData({ abi: homePriceOracleAbi, functionName: "updatePrices", args: [updates] });
}
