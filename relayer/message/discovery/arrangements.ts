import { EXPONENT_WIDTHS } from "./integerBytes.ts";

/** Where something stands beside the fields: `inside` is everywhere that the other words do not name. */
export type Place = "first" | "last" | "inside";
export type ExponentPlace = "after the price" | "before the price" | "elsewhere";

/** Which parts there are besides the five fields, and where they may stand. */
export type Arrangement = {
  readonly exponent?: { readonly width: 1 | 2 | 4; readonly place: ExponentPlace };
  readonly constants?: Place;
  readonly version?: Place;
  readonly padding?: Place;
  /** The message has fewer digits than the item: times cut to seconds, a price of fewer decimals. */
  readonly rounded?: true;
};

/** All arrangements, most plausible first. */
export function arrangementsOf({
  constants,
  wide,
}: {
  readonly constants: readonly Uint8Array[];
  readonly wide: boolean;
}): { arrangement: Arrangement; penalty: number }[] {
  const exponents = [
    { penalty: 0 },
    ...EXPONENT_WIDTHS.flatMap((width) =>
      (["after the price", "before the price", "elsewhere"] as const).map((place, index) => ({
        exponent: { width, place },
        penalty: [2, 4, 10][index] ?? 0,
      })),
    ),
  ];
  const places = (penalties: Readonly<Record<Place, number>>) =>
    (["first", "last", "inside"] as const).map((place) => ({ place, penalty: penalties[place] }));
  const none = [{ place: undefined, penalty: 0 }];
  const constantPlaces = constants.length > 0 ? places({ first: 0, last: 2, inside: 7 }) : none;
  const versionPlaces = [...none, ...places({ first: 1, last: 3, inside: 9 })];
  const roundings = [{ penalty: 0 }, { rounded: true as const, penalty: 6 }];
  const paddingPlaces = wide ? [...none, ...places({ first: 14, last: 12, inside: 20 })] : none;

  const list: { arrangement: Arrangement; penalty: number }[] = [];
  for (const { penalty: p1, ...exponent } of exponents) {
    for (const { place: constantPlace, penalty: p2 } of constantPlaces) {
      for (const { place: version, penalty: p3 } of versionPlaces) {
        for (const { place: padding, penalty: p4 } of paddingPlaces) {
          for (const { penalty: p5, ...rounding } of roundings) {
            const arrangement: Arrangement = {
              ...exponent,
              ...(constantPlace && { constants: constantPlace }),
              ...(version && { version }),
              ...(padding && { padding }),
              ...rounding,
            };
            list.push({ arrangement, penalty: p1 + p2 + p3 + p4 + p5 });
          }
        }
      }
    }
  }
  return list.sort((a, b) => a.penalty - b.penalty);
}
