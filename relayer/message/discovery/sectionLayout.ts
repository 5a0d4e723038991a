import { type ByteOrder, DATE_LENGTH, type MessageLayout } from "../messageLayout.ts";
import type { NumberName, PartName } from "./messageParts.ts";
import type { SearchQuery, Section } from "./searchPlan.ts";

/** Bytes that a part takes in the layouts of a section. */
export function widthOf(part: PartName, section: Section, query: SearchQuery): number {
  if (typeof part === "number") return query.constants[part]?.length ?? 0;
  if (part === "date") return DATE_LENGTH;
  if (part === "version") return 1;
  if (part === "padding") return section.paddingLength;
  if (part === "exponent") return section.arrangement.exponent?.width ?? 0;
  return section.widths[part];
}

/** The layout of a row with one byte order and one way to write the price. */
export function layoutOf(
  section: Section,
  parts: readonly PartName[],
  byteOrder: ByteOrder,
  decimals: number,
  query: SearchQuery,
): MessageLayout {
  const offsets = new Map<PartName, number>();
  let end = 0;
  for (const part of parts) {
    offsets.set(part, end);
    end += widthOf(part, section, query);
  }
  const offsetOf = (part: PartName) => offsets.get(part) ?? 0;
  const number = (name: NumberName) => ({ offset: offsetOf(name), width: section.widths[name], byteOrder });
  const { exponent, version, padding } = section.arrangement;
  // A version byte of 0 is what a layout calls padding.
  const zeroByte = version && section.versionByte === 0 ? [{ offset: offsetOf("version"), length: 1 }] : [];
  const versionByte = version && section.versionByte !== 0 ? [{ offset: offsetOf("version"), bytes: "0x01" }] : [];
  return {
    feedId: number("feedId"),
    price: exponent
      ? { ...number("price"), exponent: { offset: offsetOf("exponent"), width: exponent.width, byteOrder } }
      : { ...number("price"), decimals },
    publishTime: { ...number("publishTime"), unit: section.units.publishTime },
    expiry: { ...number("expiry"), unit: section.units.expiry },
    date: { offset: offsetOf("date") },
    constants: [
      ...versionByte,
      ...query.constants.map((bytes, index) => ({ offset: offsetOf(index), bytes: toHex(bytes) })),
    ].sort((a, b) => a.offset - b.offset),
    padding: [...zeroByte, ...(padding ? [{ offset: offsetOf("padding"), length: section.paddingLength }] : [])].sort(
      (a, b) => a.offset - b.offset,
    ),
  };
}

function toHex(bytes: Uint8Array): `0x${string}` {
  return `0x${Buffer.from(bytes).toString("hex")}`;
}
