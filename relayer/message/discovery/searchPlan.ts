import { DATE_LENGTH, MESSAGE_LENGTH, type TimeField } from "../messageLayout.ts";
import { type Arrangement, arrangementsOf } from "./arrangements.ts";
import { BYTE_ORDERS, fitsInto, NUMBER_WIDTHS } from "./integerBytes.ts";
import type { KnownValues } from "./knownValues.ts";
import type { NumberName } from "./messageParts.ts";
import { countOrders } from "./partOrders.ts";
import { type PriceForm, priceFormsOf, roundedPriceFormsOf } from "./priceForms.ts";

/**
 * Which layouts to try where only a signature tells the right one, and in what order.
 *
 * A plan is a list of sections, most plausible first. The layouts of a section have the same parts of the same widths
 * and units; they differ in the order of the parts (a row each), the byte order and the decimals. All is counted before
 * anything is tried, and the same query always makes the same plan, so that a range of rows is all that a worker has to
 * be told.
 *
 * @module
 */

/** What the plan depends on; plain data, to be sent to workers. */
export type SearchQuery = {
  /** The values of the item whose signature is to be met. */
  readonly known: KnownValues;
  /** The largest feed id has to fit into its field: twice this, less 1. */
  readonly rentalOffset: bigint;
  /** Regions whose bytes are known and never change, in the order in which they stand in the message. */
  readonly constants: readonly Uint8Array[];
  /** Every arrangement, and one run of padding, however long it takes. */
  readonly wide: boolean;
};

/** Fewer layouts than this are tried unless the search is wide. */
export const MAX_CANDIDATES = 2_000_000;

/** As many messages are held against signatures at most, unless the search is wide: about a minute on two cores. */
export const MAX_SIGNATURE_CHECKS = 8_000_000;

/** Layouts with the same parts; `rows` orders of them. */
export type Section = {
  readonly arrangement: Arrangement;
  readonly widths: Readonly<Record<NumberName, number>>;
  readonly units: Readonly<Record<"publishTime" | "expiry", TimeField["unit"]>>;
  readonly versionByte: number;
  readonly paddingLength: number;
  /** With an exponent field every one of them is tried under the same layout. */
  readonly priceForms: readonly PriceForm[];
  readonly firstRow: number;
  readonly rows: number;
  /** Layouts in all rows before. */
  readonly firstCandidate: number;
  readonly candidatesPerRow: number;
  readonly checksPerRow: number;
};

/** One arrangement as a whole, for counting. */
export type ArrangementCount = {
  readonly arrangement: Arrangement;
  readonly candidates: number;
  readonly signatureChecks: number;
};

export type SearchPlan = {
  readonly query: SearchQuery;
  readonly sections: readonly Section[];
  readonly rows: number;
  /** Layouts to try. */
  readonly candidates: number;
  /** Messages to hold against the signature: a layout may have several, one for each exponent and kind. */
  readonly signatureChecks: number;
  readonly covered: readonly ArrangementCount[];
  /** Left out because the plan would have become too long. */
  readonly leftOut: readonly ArrangementCount[];
};

/** Plans a search. Nothing is tried yet. */
export function planSearch(query: SearchQuery): SearchPlan {
  const covered: ArrangementCount[] = [];
  const leftOut: ArrangementCount[] = [];
  const drafts: { section: Omit<Section, "firstRow" | "firstCandidate">; penalty: number }[] = [];
  let [candidates, signatureChecks] = [0, 0];
  for (const { arrangement, penalty } of arrangementsOf(query)) {
    const sections = sectionsOf(arrangement, query);
    const count: ArrangementCount = {
      arrangement,
      candidates: sum(sections, ({ section }) => section.rows * section.candidatesPerRow),
      signatureChecks: sum(sections, ({ section }) => section.rows * section.checksPerRow),
    };
    if (count.candidates === 0) continue;
    const isTooLong =
      candidates + count.candidates >= MAX_CANDIDATES || signatureChecks + count.signatureChecks > MAX_SIGNATURE_CHECKS;
    if (isTooLong && !query.wide) {
      leftOut.push(count);
      continue;
    }
    covered.push(count);
    candidates += count.candidates;
    signatureChecks += count.signatureChecks;
    drafts.push(...sections.map(({ section, penalty: own }) => ({ section, penalty: penalty + own })));
  }

  drafts.sort((a, b) => a.penalty - b.penalty);
  const sections: Section[] = [];
  let [firstRow, firstCandidate] = [0, 0];
  for (const { section } of drafts) {
    sections.push({ ...section, firstRow, firstCandidate });
    firstRow += section.rows;
    firstCandidate += section.rows * section.candidatesPerRow;
  }
  return { query, sections, rows: firstRow, candidates, signatureChecks, covered, leftOut };
}

const WIDTH_PENALTIES: Readonly<Record<number, number>> = { 8: 0, 4: 1, 16: 2, 32: 3 };

/** Every choice of widths, units and version byte that fills the message. */
function sectionsOf(
  arrangement: Arrangement,
  query: SearchQuery,
): { section: Omit<Section, "firstRow" | "firstCandidate">; penalty: number }[] {
  const taken =
    DATE_LENGTH +
    (arrangement.exponent?.width ?? 0) +
    (arrangement.version ? 1 : 0) +
    sum(query.constants, ({ length }) => length);
  const rows = countOrders(arrangement, query.constants.length);
  const sections: { section: Omit<Section, "firstRow" | "firstCandidate">; penalty: number }[] = [];
  for (const [feedId, price, publishTime, expiry] of widthChoices()) {
    if (!fitsInto(feedId, 2n * query.rentalOffset - 1n)) continue;
    const paddingLength = MESSAGE_LENGTH - taken - feedId - price - publishTime - expiry;
    if (arrangement.padding ? paddingLength <= 0 : paddingLength !== 0) continue;
    const widths = { feedId, price, publishTime, expiry };
    const widthPenalty = sum(Object.values(widths), (width) => WIDTH_PENALTIES[width] ?? 0);
    for (const publishUnit of unitsOf(publishTime, query.known.publishTimeMs)) {
      for (const expiryUnit of unitsOf(expiry, query.known.expiryMs)) {
        const isCut =
          (publishUnit === "s" && query.known.publishTimeMs % 1000n !== 0n) ||
          (expiryUnit === "s" && query.known.expiryMs % 1000n !== 0n);
        const priceForms = sectionPriceForms(arrangement, query.known, price, isCut);
        if (priceForms.length === 0) continue;
        const unitPenalty = publishUnit !== expiryUnit ? 4 : publishUnit === "ms" ? 0 : 1;
        for (const versionByte of arrangement.version ? [1, 0] : [0]) {
          sections.push({
            section: {
              arrangement,
              widths,
              units: { publishTime: publishUnit, expiry: expiryUnit },
              versionByte,
              paddingLength,
              priceForms,
              rows,
              candidatesPerRow: BYTE_ORDERS.length * layoutsOf(arrangement, priceForms),
              checksPerRow: BYTE_ORDERS.length * priceForms.length * query.known.feedIds.length,
            },
            penalty: widthPenalty + unitPenalty,
          });
        }
      }
    }
  }
  return sections;
}

function* widthChoices(): Generator<[number, number, number, number]> {
  for (const feedId of NUMBER_WIDTHS) {
    for (const price of NUMBER_WIDTHS) {
      for (const publishTime of NUMBER_WIDTHS) {
        for (const expiry of NUMBER_WIDTHS) yield [feedId, price, publishTime, expiry];
      }
    }
  }
}

/** With an exponent field all forms have the same layout; a price cut off and one rounded have the same decimals. */
function layoutsOf({ exponent }: Arrangement, priceForms: readonly PriceForm[]): number {
  return exponent ? 1 : new Set(priceForms.map(({ decimals }) => decimals)).size;
}

/** Units in which a time fits; milliseconds do not fit in four bytes. */
function unitsOf(width: number, timeMs: bigint): TimeField["unit"][] {
  const units: TimeField["unit"][] = [];
  if (fitsInto(width, timeMs)) units.push("ms");
  if (fitsInto(width, timeMs / 1000n)) units.push("s");
  return units;
}

/** Exact prices with exact times; where digits are cut, all else. Only fixed decimals can be too few. */
function sectionPriceForms(
  { exponent, rounded }: Arrangement,
  { price }: KnownValues,
  width: number,
  isTimeCut: boolean,
): PriceForm[] {
  if (!rounded && isTimeCut) return [];
  const exact = rounded && !isTimeCut ? [] : priceFormsOf(price, width, exponent?.width);
  return rounded && !exponent ? [...exact, ...roundedPriceFormsOf(price, width)] : exact;
}

function sum<T>(items: readonly T[], of: (item: T) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
