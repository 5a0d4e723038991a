import {
  type Abi,
  type Address,
  type ContractFunctionArgs,
  type ContractFunctionName,
  type ContractFunctionReturnType,
  type EncodeFunctionDataParameters,
  type EncodeFunctionResultParameters,
  encodeFunctionData,
  encodeFunctionResult,
  type Hex,
  numberToHex,
} from "viem";
import { chainlinkAdapterAbi } from "../../relayer/chain/abi/chainlinkAdapterAbi.ts";
import { erc7412AdapterAbi } from "../../relayer/chain/abi/erc7412AdapterAbi.ts";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { morphoAdapterAbi } from "../../relayer/chain/abi/morphoAdapterAbi.ts";
import { pythAdapterAbi } from "../../relayer/chain/abi/pythAdapterAbi.ts";
import { quoteAdapterAbi } from "../../relayer/chain/abi/quoteAdapterAbi.ts";
import { type BenchmarkChain, NOW_MS } from "./benchmarkChain.ts";
import { type DeploymentGas, type ReadGas, traceReads } from "./callTrace.ts";
import {
  deployAdapters,
  LOAN_TOKEN_DECIMALS,
  MAX_AGE_SECONDS,
  type MeasuredAdapters,
  TOKEN_DECIMALS,
  USD,
} from "./measuredAdapters.ts";
import type { BenchmarkSigner } from "./signedMessages.ts";
import {
  DAY_MS,
  dayOf,
  type Edition,
  firstMarketOf,
  HOUR_MS,
  priceOf,
  SIGNER_NUMBER,
  store,
  updatesOf,
} from "./signedUpdates.ts";

/** By contract and by what is read. */
export type ReadFigures = Readonly<Record<string, Readonly<Record<string, ReadGas>>>>;

/** What the others are compared with. */
export const DIRECT_READ = { contract: "HomePriceOracle", read: "priceNoOlderThan" };
export const CHAINLINK_READ = { contract: "ChainlinkAdapter", read: "latestRoundData" };

/** The longest span that is read at once. */
const DAYS_OF_HISTORY = 366;
const SHORTER_SPAN = 30;
const FEEDS_READ_AT_ONCE = 10;
/** How many dates a transaction can bring a feed: prices may be 48 hours old. */
const DATES_AT_ONCE = 3;

/** What is read: the price of a market on each of 366 dates, and on the last of them those of 9 further ones. */
const MARKET = firstMarketOf("reads");
/** A market whose newest price waits, so that the one of the day before is served. */
const WAITING_MARKET = MARKET + BigInt(FEEDS_READ_AT_ONCE);

/** 00:00 UTC of the last date. That it is 366 days later makes it, too, the second of a slot of the history. */
const LAST_DAY_MS = (BigInt(NOW_MS) / DAY_MS) * DAY_MS + BigInt(DAYS_OF_HISTORY) * DAY_MS;

/** The edition of so many days before the last date; it comes out at noon. */
function edition(daysBefore: number): Edition {
  const startMs = LAST_DAY_MS - BigInt(daysBefore) * DAY_MS;
  const daysUntilBrought = daysBefore % DATES_AT_ONCE;
  return {
    publishTimeMs: startMs + 12n * HOUR_MS,
    // The end of the date on which it is brought.
    expiryMs: startMs + BigInt(daysUntilBrought + 1) * DAY_MS,
    firstPrice: 21_700_000_000n + BigInt(DAYS_OF_HISTORY - daysBefore) * 1_000_000n,
  };
}

/** Measures reads through each face. Moves the chain's clock by a year, which it takes to have the prices of one. */
export async function measureReads(
  chain: BenchmarkChain,
  oracle: Address,
  signer: BenchmarkSigner,
): Promise<{ reads: ReadFigures; adapterDeployment: Readonly<Record<string, DeploymentGas>> }> {
  await storeAYear(chain, oracle, signer);
  const adapters = await deployAdapters(chain, oracle, MARKET);
  const reads: Record<string, Record<string, ReadGas>> = {};
  for (const { contract, read, to, data, answer } of readsOf(oracle, adapters)) {
    const { cold, warm, output } = await traceReads(chain, { to, data });
    if (output !== answer) throw new Error(`${contract}: ${read} answered ${output} where ${answer} is right`);
    reads[contract] = { ...reads[contract], [read]: { cold, warm } };
  }
  return { reads, adapterDeployment: adapters.deployment };
}

async function storeAYear(chain: BenchmarkChain, oracle: Address, signer: BenchmarkSigner): Promise<void> {
  for (let daysBefore = DAYS_OF_HISTORY - DATES_AT_ONCE; daysBefore >= 0; daysBefore -= DATES_AT_ONCE) {
    // Half an hour before the last of the three comes out, the first of them is not yet 48 hours old.
    await chain.setTime(edition(daysBefore).publishTimeMs - HOUR_MS / 2n);
    const editions = [edition(daysBefore + 2), edition(daysBefore + 1), edition(daysBefore)];
    await store(
      chain,
      oracle,
      editions.flatMap((each) => updatesOf(signer, each, MARKET, 1)),
    );
  }
  await chain.setTime(edition(0).publishTimeMs + HOUR_MS);
  const last = edition(0);
  const ofOtherMarkets = { ...last, firstPrice: priceOf(last, 1) };
  await store(chain, oracle, updatesOf(signer, ofOtherMarkets, MARKET + 1n, FEEDS_READ_AT_ONCE - 1));
  await store(chain, oracle, updatesOf(signer, edition(1), WAITING_MARKET, 1));
  await store(chain, oracle, updatesOf(signer, { ...last, firstPrice: 2n * last.firstPrice }, WAITING_MARKET, 1));
}

type Read = {
  readonly contract: string;
  readonly read: string;
  readonly to: Address;
  readonly data: Hex;
  readonly answer: Hex;
};

/** Every read, and what it has to answer. */
function readsOf(oracle: Address, adapters: MeasuredAdapters): Read[] {
  const last = edition(0);
  const [price, day] = [last.firstPrice, dayOf(last)];
  const publishTime = last.publishTimeMs / 1_000n;
  const served = servedPrice(last);
  const history = (days: number) => Array.from({ length: days }, (_, index) => edition(days - 1 - index).firstPrice);
  const round = (of: Edition) =>
    [
      BigInt(dayOf(of)),
      of.firstPrice,
      BigInt(dayOf(of)) * 86_400n,
      of.publishTimeMs / 1_000n,
      BigInt(dayOf(of)),
    ] as const;

  const ofOracle = reader("HomePriceOracle", oracle, homePriceOracleAbi);
  const ofChainlink = reader("ChainlinkAdapter", adapters.chainlink, chainlinkAdapterAbi);
  const ofPyth = reader("PythAdapter", adapters.pyth, pythAdapterAbi);
  const ofQuote = reader("QuoteAdapter", adapters.quote, quoteAdapterAbi);
  const ofMorphoAtPar = reader("MorphoAdapter", adapters.morphoAtPar, morphoAdapterAbi);
  const ofMorphoWithFeed = reader("MorphoAdapter", adapters.morphoWithFeed, morphoAdapterAbi);
  const ofErc7412 = reader("ERC7412Adapter", adapters.erc7412, erc7412AdapterAbi);

  const pythId = numberToHex(MARKET, { size: 32 });
  const pythPrice = { price, conf: 0n, expo: -8, publishTime };
  const wholeToken = 10n ** BigInt(TOKEN_DECIMALS);
  // USD has 18 decimals there, a price 8.
  const quote = price * 10n ** 10n;
  const morphoPrice = (price * 10n ** BigInt(36 + LOAN_TOKEN_DECIMALS - TOKEN_DECIMALS)) / 10n ** 8n;

  return [
    ofOracle("latestPrice", [MARKET], served),
    ofOracle("salesPrice", [MARKET], served),
    ofOracle("priceNoOlderThan", [MARKET, MAX_AGE_SECONDS], served),
    ofOracle(
      "priceNoOlderThan",
      [WAITING_MARKET, 2n * MAX_AGE_SECONDS],
      servedPrice(edition(1)),
      "while another waits",
    ),
    ofOracle("priceUnsafe", [MARKET], served),
    ofOracle("freshness", [MARKET], 0),
    ofOracle("priceOn", [MARKET, dayOf(edition(1))], dailyPrice(edition(1))),
    ofOracle("settlementPrice", [MARKET, dayOf(edition(3))], dailyPrice(edition(3))),
    ...[SHORTER_SPAN, DAYS_OF_HISTORY].map((days) =>
      ofOracle("pricesBetween", [MARKET, day - days + 1, day], history(days), `${days} dates`),
    ),
    ofOracle(
      "latestPrices",
      [Array.from({ length: FEEDS_READ_AT_ONCE }, (_, index) => MARKET + BigInt(index))],
      Array.from({ length: FEEDS_READ_AT_ONCE }, (_, index) => ({ ...served, price: priceOf(last, index) })),
      `${FEEDS_READ_AT_ONCE} feeds`,
    ),
    ofChainlink("latestRoundData", [], round(last)),
    ofChainlink("latestAnswer", [], price),
    ofChainlink("getRoundData", [BigInt(dayOf(edition(1)))], round(edition(1))),
    ofPyth("getPriceNoOlderThan", [pythId, MAX_AGE_SECONDS], pythPrice),
    ofPyth("getPriceUnsafe", [pythId], pythPrice),
    ofQuote("getQuote", [wholeToken, adapters.token, USD], quote),
    ofMorphoAtPar("price", [], morphoPrice, "loan token at par"),
    ofMorphoWithFeed("price", [], morphoPrice, "with a feed of the loan token"),
    ofErc7412("getPrice", [MARKET, MAX_AGE_SECONDS], served),
    ofErc7412("getPriceSince", [MARKET, day], served),
  ];
}

/** Makes the reads of a contract. */
function reader<const abi extends Abi>(contract: string, to: Address, abi: abi) {
  return <
    name extends ContractFunctionName<abi, "view" | "pure">,
    const args extends ContractFunctionArgs<abi, "view" | "pure", name>,
  >(
    functionName: name,
    args: args,
    result: ContractFunctionReturnType<abi, "view" | "pure", name, args>,
    addition?: string,
  ): Read => ({
    contract,
    read: addition === undefined ? functionName : `${functionName}, ${addition}`,
    to,
    // The parameters above are what these two ask for; their own types cannot be told so for any ABI.
    data: encodeFunctionData({ abi, functionName, args } as unknown as EncodeFunctionDataParameters),
    answer: encodeFunctionResult({ abi, functionName, result } as unknown as EncodeFunctionResultParameters),
  });
}

function servedPrice({ firstPrice, publishTimeMs, expiryMs }: Edition) {
  const day = Number(publishTimeMs / DAY_MS);
  return { price: firstPrice, publishTime: publishTimeMs / 1_000n, expiry: expiryMs / 1_000n, day };
}

function dailyPrice({ firstPrice, publishTimeMs }: Edition) {
  const day = Number(publishTimeMs / DAY_MS);
  return { price: firstPrice, publishTime: publishTimeMs / 1_000n, day, signer: SIGNER_NUMBER, isRevised: false };
}
