import type { AdapterUnderTest } from "./adapterUnderTest.ts";
import {
  chainlinkFunctionsCoordinator,
  chainlinkLatestAnswer,
  chainlinkLatestRoundData,
} from "./chainlinkUnderTest.ts";
import { erc7412GetPrice, erc7412GetPriceSince } from "./erc7412UnderTest.ts";
import { eulerQuotes, quoteInDollars, quoteOfDollars } from "./erc7726UnderTest.ts";
import { morphoPrice } from "./morphoUnderTest.ts";
import { oracleLatestPrice, oraclePriceNoOlderThan } from "./oracleUnderTest.ts";
import { pythAggregator, pythGetPriceNoOlderThan, pythGetPriceUnsafe } from "./pythUnderTest.ts";

/** Every way to read a price, for the suite of properties that all of them have. A new one joins by its line. */
export const ADAPTERS_UNDER_TEST: readonly AdapterUnderTest[] = [
  oracleLatestPrice,
  oraclePriceNoOlderThan,
  chainlinkLatestRoundData,
  chainlinkLatestAnswer,
  chainlinkFunctionsCoordinator,
  pythGetPriceNoOlderThan,
  pythGetPriceUnsafe,
  pythAggregator,
  quoteInDollars,
  quoteOfDollars,
  eulerQuotes,
  morphoPrice,
  erc7412GetPrice,
  erc7412GetPriceSince,
];
