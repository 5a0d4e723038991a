import type { Address } from "viem";
import type { DecodedError } from "../oracle/decodedErrors.ts";
import { DAY, MARKET } from "../oracle/signedUpdate.ts";

/** ISO 4217 code 840 as an address (ERC-7726). */
const US_DOLLAR: Address = "0x0000000000000000000000000000000000000348";
const NOWHERE: Address = "0x000000000000000000000000000000000000dEaD";

/** A factory of adapters: `deploy`, `adapterAddress` and the event `AdapterDeployed`. */
export type FactoryUnderTest = {
  /** Contract names. */
  readonly factory: string;
  readonly adapter: string;
  /** Of `deploy`, `adapterAddress` and the adapter's constructor. */
  argumentsFor(oracle: Address): readonly unknown[];
  /** Arguments that the constructor refuses, and its error. */
  badArguments(oracle: Address): { readonly args: readonly unknown[]; readonly error: DecodedError };
};

/** Every factory, for the suite that all of them pass. */
export const FACTORIES_UNDER_TEST: readonly FactoryUnderTest[] = [
  {
    factory: "ChainlinkAdapterFactory",
    adapter: "ChainlinkAdapter",
    argumentsFor: (oracle) => [oracle, MARKET, DAY],
    badArguments: (oracle) => ({ args: [oracle, MARKET, 0n], error: { name: "InvalidMaxAge", args: [0n] } }),
  },
  {
    factory: "PythAdapterFactory",
    adapter: "PythAdapter",
    argumentsFor: (oracle) => [oracle],
    badArguments: () => ({ args: [NOWHERE], error: { name: "NoOracle", args: [NOWHERE] } }),
  },
  {
    factory: "QuoteAdapterFactory",
    adapter: "QuoteAdapter",
    argumentsFor: (oracle) => [quoteAdapterArguments(oracle, DAY)],
    badArguments: (oracle) => ({
      args: [quoteAdapterArguments(oracle, 0n)],
      error: { name: "InvalidMaxAge", args: [0n] },
    }),
  },
  {
    factory: "ERC7412AdapterFactory",
    adapter: "ERC7412Adapter",
    argumentsFor: (oracle) => [oracle],
    badArguments: () => ({ args: [NOWHERE], error: { name: "NoOracle", args: [NOWHERE] } }),
  },
];

/** The oracle takes the place of the base token: it has decimals. */
function quoteAdapterArguments(oracle: Address, maxAge: bigint) {
  return { oracle, feedId: MARKET, maxAge, base: oracle, quote: US_DOLLAR, unitsPerToken: 1n };
}
