import type { Arrangement, ExponentPlace, Place } from "./arrangements.ts";
import { FIELDS, type PartName } from "./messageParts.ts";

/**
 * The orders in which the parts of an arrangement may stand, each with a number.
 *
 * @module
 */

/** How many orders there are. */
export function countOrders(arrangement: Arrangement, constantRegions: number): number {
  const { exponent, constants, version, padding } = arrangement;
  let length = FIELDS.length + (exponent ? 1 : 0);
  let orders = FIELD_ORDERS.length * (exponent ? exponentPositionsOf(exponent.place).length : 1);
  if (constants) orders *= constantPositionsOf(constants, length, constantRegions).length;
  length += constantRegions;
  if (version) orders *= versionPositionsOf(version, length, arrangement, constantRegions).length;
  length += version ? 1 : 0;
  if (padding) orders *= positionsOf(padding, length).length;
  return orders;
}

/** The parts in the order of a number, from 0 to one below {@link countOrders}. The order of the fields changes last. */
export function partsInOrder(arrangement: Arrangement, order: number, constantRegions: number): PartName[] {
  const { exponent, constants, version, padding } = arrangement;
  let rest = order;
  const take = <T>(choices: readonly T[]): T => {
    const choice = choices[rest % choices.length] as T;
    rest = Math.floor(rest / choices.length);
    return choice;
  };
  let length = FIELDS.length + (exponent ? 1 : 0);
  const constantPositions = constants ? take(constantPositionsOf(constants, length, constantRegions)) : [];
  length += constantPositions.length;
  const versionPosition = version ? take(versionPositionsOf(version, length, arrangement, constantRegions)) : undefined;
  length += version ? 1 : 0;
  const paddingPosition = padding ? take(positionsOf(padding, length)) : undefined;
  const exponentPosition = exponent ? take(exponentPositionsOf(exponent.place)) : undefined;

  const parts: PartName[] = [...(FIELD_ORDERS[rest] ?? [])];
  if (exponentPosition) parts.splice(exponentPosition(parts), 0, "exponent");
  // From the last one on, so that positions before it stay what they are.
  for (let index = constantPositions.length - 1; index >= 0; index -= 1) {
    parts.splice(constantPositions[index] ?? 0, 0, index);
  }
  if (versionPosition !== undefined) parts.splice(versionPosition, 0, "version");
  if (paddingPosition !== undefined) parts.splice(paddingPosition, 0, "padding");
  return parts;
}

/** Every order of the five fields, the nearest to the default layout's first. */
const FIELD_ORDERS: readonly (readonly (typeof FIELDS)[number][])[] = permutationsOf(FIELDS)
  .map((order) => ({ order, inversions: inversionsOf(order) }))
  .sort((a, b) => a.inversions - b.inversions)
  .map(({ order }) => order);

function permutationsOf<T>(items: readonly T[]): T[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutationsOf(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

function inversionsOf(order: readonly (typeof FIELDS)[number][]): number {
  const ranks = order.map((field) => FIELDS.indexOf(field));
  return ranks.flatMap((rank, index) => ranks.slice(index + 1).filter((later) => later < rank)).length;
}

/** Ways to find the exponent's position in an order of the five fields. */
function exponentPositionsOf(place: ExponentPlace): readonly ((fields: readonly PartName[]) => number)[] {
  if (place === "after the price") return [(fields) => fields.indexOf("price") + 1];
  if (place === "before the price") return [(fields) => fields.indexOf("price")];
  // All boundaries but the price's two.
  return Array.from({ length: FIELDS.length - 1 }, (_, index) => (fields: readonly PartName[]) => {
    return index < fields.indexOf("price") ? index : index + 2;
  });
}

const positionsCache = new Map<string, readonly (readonly number[])[]>();

/** Positions of the constant regions among so many parts; they keep the order in which they were given. */
function constantPositionsOf(place: Place, parts: number, count: number): readonly (readonly number[])[] {
  const key = `${place} ${parts} ${count}`;
  const known = positionsCache.get(key);
  if (known) return known;
  const allFirst: readonly number[] = Array(count).fill(0);
  const allLast: readonly number[] = Array(count).fill(parts);
  let positions: readonly (readonly number[])[] = [place === "first" ? allFirst : allLast];
  if (place === "inside") {
    const ascending = (from: number, left: number): number[][] =>
      left === 0
        ? [[]]
        : positionsFrom(from, parts).flatMap((first) => ascending(first, left - 1).map((rest) => [first, ...rest]));
    const same = (a: readonly number[], b: readonly number[]) => a.every((position, index) => position === b[index]);
    positions = ascending(0, count).filter((each) => !same(each, allFirst) && !same(each, allLast));
  }
  positionsCache.set(key, positions);
  return positions;
}

/** At either side of constant regions that stand first or last, a version byte is as much first or last as they are. */
function versionPositionsOf(
  place: Place,
  parts: number,
  { constants }: Pick<Arrangement, "constants">,
  count: number,
): readonly number[] {
  const first = constants === "first" ? [0, count] : [0];
  const last = constants === "last" ? [parts, parts - count] : [parts];
  if (place === "first") return first;
  if (place === "last") return last;
  return positionsFrom(0, parts).filter((position) => !first.includes(position) && !last.includes(position));
}

function positionsOf(place: Place, parts: number): readonly number[] {
  if (place === "first") return [0];
  if (place === "last") return [parts];
  return positionsFrom(1, parts - 1);
}

function positionsFrom(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}
