/** A state, the district or a territory, as far as the generated world needs it. */
export type State = {
  /** Two letters. */
  readonly abbreviation: string;
  readonly name: string;
  /** Two digits of the census. */
  readonly fipsCode: string;
  /** Census division; none for territories. */
  readonly region: string | null;
  /** Ranges of the first three digits of its ZIP codes, bounds included. */
  readonly zipPrefixes: readonly (readonly [number, number])[];
  /** A point well inside, decimal degrees. */
  readonly latitude: number;
  readonly longitude: number;
  /** Rough sales price level of 2024, USD per square foot. */
  readonly pricePerSquareFoot: number;
  /** Whether the prices of deeds are public. */
  readonly disclosesPrices: boolean;
};

/** States whose law keeps the price of a sale out of the public record. */
const NON_DISCLOSURE_STATES = new Set(["AK", "ID", "KS", "LA", "MS", "MO", "MT", "NM", "ND", "TX", "UT", "WY"]);

type StateRow = readonly [
  abbreviation: string,
  name: string,
  fipsCode: string,
  zipPrefixes: readonly (readonly [number, number])[],
  latitude: number,
  longitude: number,
  pricePerSquareFoot: number,
];

const STATES_BY_DIVISION: Readonly<Record<string, readonly StateRow[]>> = {
  NEW_ENGLAND: [
    ["CT", "Connecticut", "09", [[60, 69]], 41.6, -72.7, 235],
    ["ME", "Maine", "23", [[39, 49]], 45.2, -69.0, 230],
    ["MA", "Massachusetts", "25", [[10, 27]], 42.3, -71.8, 345],
    ["NH", "New Hampshire", "33", [[30, 38]], 43.6, -71.5, 270],
    ["RI", "Rhode Island", "44", [[28, 29]], 41.6, -71.5, 295],
    ["VT", "Vermont", "50", [[50, 59]], 44.0, -72.7, 220],
  ],
  MIDDLE_ATLANTIC: [
    ["NJ", "New Jersey", "34", [[70, 89]], 40.2, -74.6, 275],
    ["NY", "New York", "36", [[100, 149]], 42.9, -75.5, 260],
    ["PA", "Pennsylvania", "42", [[150, 196]], 40.9, -77.8, 165],
  ],
  EAST_NORTH_CENTRAL: [
    ["IL", "Illinois", "17", [[600, 629]], 40.0, -89.2, 165],
    ["IN", "Indiana", "18", [[460, 479]], 39.9, -86.3, 140],
    ["MI", "Michigan", "26", [[480, 499]], 43.3, -84.6, 155],
    ["OH", "Ohio", "39", [[430, 458]], 40.3, -82.8, 140],
    ["WI", "Wisconsin", "55", [[530, 549]], 44.5, -89.8, 185],
  ],
  WEST_NORTH_CENTRAL: [
    ["IA", "Iowa", "19", [[500, 528]], 42.0, -93.5, 140],
    ["KS", "Kansas", "20", [[660, 679]], 38.5, -98.4, 140],
    ["MN", "Minnesota", "27", [[550, 567]], 46.0, -94.4, 190],
    ["MO", "Missouri", "29", [[630, 658]], 38.4, -92.5, 150],
    ["NE", "Nebraska", "31", [[680, 693]], 41.5, -99.8, 155],
    ["ND", "North Dakota", "38", [[580, 588]], 47.4, -100.5, 150],
    ["SD", "South Dakota", "46", [[570, 577]], 44.4, -100.2, 165],
  ],
  SOUTH_ATLANTIC: [
    ["DE", "Delaware", "10", [[197, 199]], 39.0, -75.5, 205],
    [
      "DC",
      "District Of Columbia",
      "11",
      [
        [200, 200],
        [202, 205],
      ],
      38.905,
      -77.016,
      510,
    ],
    ["FL", "Florida", "12", [[320, 349]], 28.1, -81.6, 255],
    ["GA", "Georgia", "13", [[300, 319]], 32.6, -83.4, 180],
    [
      "MD",
      "Maryland",
      "24",
      [
        [206, 212],
        [214, 219],
      ],
      39.2,
      -76.8,
      225,
    ],
    ["NC", "North Carolina", "37", [[270, 289]], 35.5, -79.3, 200],
    ["SC", "South Carolina", "45", [[290, 299]], 33.9, -80.9, 185],
    [
      "VA",
      "Virginia",
      "51",
      [
        [201, 201],
        [220, 246],
      ],
      37.5,
      -78.8,
      220,
    ],
    ["WV", "West Virginia", "54", [[247, 268]], 38.7, -80.7, 115],
  ],
  EAST_SOUTH_CENTRAL: [
    ["AL", "Alabama", "01", [[350, 369]], 32.8, -86.8, 145],
    ["KY", "Kentucky", "21", [[400, 427]], 37.5, -85.3, 145],
    ["MS", "Mississippi", "28", [[386, 397]], 32.7, -89.7, 125],
    ["TN", "Tennessee", "47", [[370, 385]], 35.9, -86.4, 195],
  ],
  WEST_SOUTH_CENTRAL: [
    ["AR", "Arkansas", "05", [[716, 729]], 34.9, -92.4, 135],
    ["LA", "Louisiana", "22", [[700, 714]], 31.1, -92.0, 130],
    ["OK", "Oklahoma", "40", [[730, 749]], 35.6, -97.5, 135],
    ["TX", "Texas", "48", [[750, 799]], 31.5, -99.3, 165],
  ],
  MOUNTAIN: [
    ["AZ", "Arizona", "04", [[850, 865]], 34.3, -111.7, 245],
    ["CO", "Colorado", "08", [[800, 816]], 39.0, -105.5, 285],
    ["ID", "Idaho", "16", [[832, 838]], 44.4, -114.6, 245],
    ["MT", "Montana", "30", [[590, 599]], 47.0, -109.6, 270],
    ["NV", "Nevada", "32", [[889, 898]], 39.3, -116.6, 250],
    ["NM", "New Mexico", "35", [[870, 884]], 34.4, -106.1, 190],
    ["UT", "Utah", "49", [[840, 847]], 39.3, -111.7, 250],
    ["WY", "Wyoming", "56", [[820, 831]], 43.0, -107.6, 200],
  ],
  PACIFIC: [
    ["AK", "Alaska", "02", [[995, 999]], 61.6, -149.6, 220],
    ["CA", "California", "06", [[900, 961]], 37.2, -119.5, 430],
    ["HI", "Hawaii", "15", [[967, 968]], 21.4, -157.9, 560],
    ["OR", "Oregon", "41", [[970, 979]], 44.0, -120.6, 285],
    ["WA", "Washington", "53", [[980, 994]], 47.4, -120.5, 320],
  ],
};

const TERRITORIES: readonly StateRow[] = [
  ["PR", "Puerto Rico", "72", [[6, 9]], 18.25, -66.4, 130],
  ["VI", "Virgin Islands", "78", [[8, 8]], 17.73, -64.75, 240],
  ["GU", "Guam", "66", [[969, 969]], 13.45, 144.78, 210],
  ["AS", "American Samoa", "60", [[967, 967]], -14.3, -170.7, 110],
  ["MP", "Northern Mariana Islands", "69", [[969, 969]], 15.19, 145.75, 120],
];

/** Every state by its two letters, the district and the territories included. */
export const STATES: ReadonlyMap<string, State> = new Map(
  [
    ...Object.entries(STATES_BY_DIVISION).flatMap(([region, rows]) => rows.map((row) => stateOf(row, region))),
    ...TERRITORIES.map((row) => stateOf(row, null)),
  ].map((state) => [state.abbreviation, state]),
);

const BY_FIPS_CODE = new Map([...STATES.values()].map((state) => [state.fipsCode, state]));

/** The state of a two-digit census code. */
export function stateOfFipsCode(fipsCode: string): State | undefined {
  return BY_FIPS_CODE.get(fipsCode);
}

function stateOf(
  [abbreviation, name, fipsCode, zipPrefixes, latitude, longitude, pricePerSquareFoot]: StateRow,
  region: string | null,
): State {
  const disclosesPrices = !NON_DISCLOSURE_STATES.has(abbreviation);
  return {
    abbreviation,
    name,
    fipsCode,
    region,
    zipPrefixes,
    latitude,
    longitude,
    pricePerSquareFoot,
    disclosesPrices,
  };
}
