import { type ByteOrder, MESSAGE_LENGTH, type MessageLayout } from "../messageLayout.ts";
import { BYTE_ORDERS, integerToBytes } from "./integerBytes.ts";
import { partsInOrder } from "./partOrders.ts";
import type { PriceForm } from "./priceForms.ts";
import type { SearchPlan, Section } from "./searchPlan.ts";
import { layoutOf, widthOf } from "./sectionLayout.ts";
import { MESSAGE_OFFSET, type SignatureSieve } from "./signatureSieve.ts";

/** A layout whose message the signature belongs to. */
export type Hit = {
  readonly layout: MessageLayout;
  /** How many layouts of the plan come before it. */
  readonly candidate: number;
};

/**
 * Tries the layouts of some rows, `from` up to but not including `to`, in the order of the plan.
 * @param feedId The id that the message holds: one of those that the item may have.
 * @returns Every hit. Usually there is one; there are several where layouts make the same bytes of this item.
 */
export function searchRows(plan: SearchPlan, sieve: SignatureSieve, feedId: bigint, from: number, to: number): Hit[] {
  const hits: Hit[] = [];
  let row = from;
  for (let index = sectionIndexOf(plan, from); row < to; index += 1) {
    const section = plan.sections[index];
    if (!section) break;
    const encoded = encodeValues(section, plan, feedId);
    const end = Math.min(to, section.firstRow + section.rows);
    for (; row < end; row += 1) tryRow(row - section.firstRow, section, encoded, plan, sieve, hits);
  }
  return hits;
}

/** The values of the item in the widths and units of a section, once for each byte order. */
type EncodedValues = {
  readonly byteOrder: ByteOrder;
  readonly feedId: Uint8Array;
  readonly publishTime: Uint8Array;
  readonly expiry: Uint8Array;
  readonly prices: readonly {
    readonly form: PriceForm;
    /** Its number among the layouts of the row and byte order: forms of the same decimals are of the same layout. */
    readonly layout: number;
    readonly mantissa: Uint8Array;
    readonly exponent: Uint8Array;
  }[];
}[];

function encodeValues(section: Section, { query }: SearchPlan, feedId: bigint): EncodedValues {
  const { known } = query;
  const { widths, units, arrangement } = section;
  const exponentWidth = arrangement.exponent?.width ?? 0;
  const decimals = [...new Set(section.priceForms.map((form) => form.decimals))];
  return BYTE_ORDERS.map((byteOrder) => {
    // The plan holds only widths into which the values go.
    const encode = (value: bigint, width: number) => integerToBytes(value, width, byteOrder) ?? new Uint8Array(width);
    const time = (timeMs: bigint, unit: "ms" | "s") => (unit === "s" ? timeMs / 1000n : timeMs);
    return {
      byteOrder,
      feedId: encode(feedId, widths.feedId),
      publishTime: encode(time(known.publishTimeMs, units.publishTime), widths.publishTime),
      expiry: encode(time(known.expiryMs, units.expiry), widths.expiry),
      prices: section.priceForms.map((form) => ({
        form,
        layout: exponentWidth > 0 ? 0 : decimals.indexOf(form.decimals),
        mantissa: encode(form.mantissa, widths.price),
        exponent: encode(BigInt.asUintN(8 * exponentWidth, BigInt(-form.decimals)), exponentWidth),
      })),
    };
  });
}

function tryRow(
  rowOfSection: number,
  section: Section,
  encoded: EncodedValues,
  { query }: SearchPlan,
  sieve: SignatureSieve,
  hits: Hit[],
): void {
  const parts = partsInOrder(section.arrangement, rowOfSection, query.constants.length);
  const { input } = sieve;
  input.fill(0, MESSAGE_OFFSET, MESSAGE_OFFSET + MESSAGE_LENGTH);
  const offsets = { feedId: 0, price: 0, publishTime: 0, expiry: 0, date: 0, exponent: 0, version: 0, padding: 0 };
  let end = MESSAGE_OFFSET;
  for (const part of parts) {
    if (typeof part === "number") input.set(query.constants[part] ?? [], end);
    else offsets[part] = end;
    end += widthOf(part, section, query);
  }
  if (section.arrangement.version) input[offsets.version] = section.versionByte;
  for (let index = 0; index < query.known.date.length; index += 1) {
    input[offsets.date + index] = query.known.date.charCodeAt(index);
  }

  const hasExponent = section.arrangement.exponent !== undefined;
  let candidate = section.firstCandidate + rowOfSection * section.candidatesPerRow;
  for (const { byteOrder, feedId, publishTime, expiry, prices } of encoded) {
    input.set(feedId, offsets.feedId);
    input.set(publishTime, offsets.publishTime);
    input.set(expiry, offsets.expiry);
    for (const { form, layout, mantissa, exponent } of prices) {
      input.set(mantissa, offsets.price);
      if (hasExponent) input.set(exponent, offsets.exponent);
      if (sieve.mayBeSigned()) {
        const found = layoutOf(section, parts, byteOrder, form.decimals, query);
        hits.push({ layout: found, candidate: candidate + layout });
      }
    }
    candidate += section.candidatesPerRow / BYTE_ORDERS.length;
  }
}

/** The section that a row belongs to. */
function sectionIndexOf({ sections }: SearchPlan, row: number): number {
  let [low, high] = [0, sections.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((sections[middle]?.firstRow ?? 0) <= row) low = middle;
    else high = middle - 1;
  }
  return low;
}
