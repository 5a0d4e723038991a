import { HARDFORKS } from "./benchmarkChain.ts";
import type { GasFigures } from "./gasFigures.ts";
import { markdownTable, number } from "./markdownTable.ts";
import { gasOfNeedlessUpdate, PULL_COUNTS, PULL_WAYS, type PullFigures, type PullWay } from "./pullGas.ts";
import { DIRECT_READ, type ReadFigures } from "./readGas.ts";
import { added, PLACES, type Place, STORING_COUNTS, type StoringFigures } from "./storingGas.ts";

/** The tables of what consumers pay, and of what history and guard rails add to updates. */

const PLACE_NAMES: Readonly<Record<Place, string>> = {
  begun: "history, in a slot that has begun",
  corrected: "history, over an earlier price of the date",
  beginning: "history, where a slot begins",
};
const WAY_NAMES: Readonly<Record<PullWay, string>> = { pull: "asks first", bring: "always brings" };

export function storingTable({ history, band }: StoringFigures): string {
  const measured = [
    ...PLACES.map((place) => ({ name: PLACE_NAMES[place], gas: history[place] })),
    { name: "a band", gas: band },
  ];
  const rows = measured.map(({ name, gas }) => [name, ...STORING_COUNTS.map((count) => number(added(gas, count)))]);
  return markdownTable(["what adds to an update", ...STORING_COUNTS.map((count) => `of ${count}`)], rows);
}

export function outOfBandTable({ outOfBand: { served, waits, waitsInPlace } }: StoringFigures): string {
  const row = (name: string, gas: number) => [name, number(gas), number(gas - served)];
  return markdownTable(
    ["the price", "execution", "more"],
    [
      row("is served at once", served),
      row("waits", waits),
      row("waits in the place of one of its level", waitsInPlace),
    ],
  );
}

export function readTable(reads: ReadFigures): string {
  const direct = reads[DIRECT_READ.contract]?.[DIRECT_READ.read];
  const rows = Object.entries(reads).flatMap(([contract, ofContract]) =>
    Object.entries(ofContract).map(([read, { cold, warm }]) => {
      const more = (gas: number, directGas: number | undefined) =>
        number(directGas === undefined ? undefined : gas - directGas);
      return [contract, read, number(cold), more(cold, direct?.cold), number(warm), more(warm, direct?.warm)];
    }),
  );
  return markdownTable(["contract", "read", "cold", "more", "warm", "more"], rows);
}

export function adapterTable(figures: GasFigures): string {
  const rows = Object.entries(figures.osaka.adapterDeployment).map(([adapter, { calldataBytes }]) => [
    adapter,
    number(calldataBytes),
    ...HARDFORKS.map((fork) => number(figures[fork].adapterDeployment[adapter]?.atMost)),
  ]);
  return markdownTable(["adapter", "bytes of calldata", "Osaka", "Prague"], rows);
}

export function pullTable(pulls: PullFigures): string {
  const rows = PULL_WAYS.flatMap((way) =>
    PULL_COUNTS.map((count) => {
      const needed = pulls.needed[way][count];
      const alreadyBrought = pulls.alreadyBrought[way][count];
      const cells = [
        needed?.transaction,
        needed?.calldata,
        needed?.execution,
        alreadyBrought?.transaction,
        alreadyBrought?.execution,
        pulls.withoutUpdates[way][count]?.execution,
        gasOfNeedlessUpdate(pulls, way, count),
      ];
      return [WAY_NAMES[way], String(count), ...cells.map(number)];
    }),
  );
  const head = ["", "prices", "brings", "of it calldata", "of it execution"];
  return markdownTable([...head, "already brought", "of it execution", "execution, no updates", "for each"], rows);
}
