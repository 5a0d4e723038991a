/** A county and city pair of the markets that have price feeds, with what is publicly known of them. */
export type KnownPlace = {
  readonly state: string;
  readonly city: KnownMarket;
  readonly county: KnownMarket;
  readonly metro: KnownMarket;
  /** Some of its ZIP codes; each place has others than the rest. */
  readonly zipCodes: readonly string[];
  readonly latitude: number;
  readonly longitude: number;
};

/** A market by its name and census id, and its id in the service where one has been seen. */
export type KnownMarket = {
  readonly name: string;
  readonly geoid: string;
  readonly marketId: bigint | undefined;
  /** Census figure, rounded. */
  readonly population: number;
};

function market(name: string, geoid: string, population: number, marketId?: bigint): KnownMarket {
  return { name, geoid, marketId, population };
}

const MIAMI_DADE = market("Miami-Dade County", "12086", 2_690_000);
const MIAMI_METRO = market("Miami-Fort Lauderdale-Pompano Beach, Fl", "33100", 6_130_000, 2900128n);
const NEW_YORK_CITY = market("New York City", "3651000", 8_600_000, 5372594n);
const NEW_YORK_METRO = market("New York-Newark-Jersey City, Ny-Nj-Pa", "35620", 19_900_000, 2900187n);

/** Where the built-in markets lie, so that Miami Beach is in Florida and Brooklyn in New York City. */
export const KNOWN_PLACES: readonly KnownPlace[] = [
  {
    state: "FL",
    city: market("Miami City", "1245000", 443_000, 5352987n),
    county: MIAMI_DADE,
    metro: MIAMI_METRO,
    zipCodes: ["33127", "33129", "33133", "33145"],
    latitude: 25.77,
    longitude: -80.21,
  },
  {
    state: "FL",
    city: market("Miami Beach City", "1245025", 82_000, 5353022n),
    county: MIAMI_DADE,
    metro: MIAMI_METRO,
    zipCodes: ["33139", "33140", "33141"],
    latitude: 25.81,
    longitude: -80.13,
  },
  {
    state: "NY",
    city: NEW_YORK_CITY,
    county: market("New York County", "36061", 1_640_000),
    metro: NEW_YORK_METRO,
    zipCodes: ["10011", "10024", "10027", "10128"],
    latitude: 40.78,
    longitude: -73.97,
  },
  {
    state: "NY",
    city: NEW_YORK_CITY,
    county: market("Kings County", "36047", 2_680_000, 5822447n),
    metro: NEW_YORK_METRO,
    zipCodes: ["11201", "11209", "11215", "11238"],
    latitude: 40.65,
    longitude: -73.95,
  },
  {
    state: "CO",
    city: market("Denver City", "0820000", 711_000, 5306725n),
    county: market("Denver County", "08031", 711_000),
    metro: market("Denver-Aurora-Lakewood, Co", "19740", 2_960_000),
    zipCodes: ["80205", "80210", "80211", "80220"],
    latitude: 39.74,
    longitude: -104.96,
  },
  {
    state: "CA",
    city: market("Los Angeles City", "0644000", 3_880_000, 5373892n),
    county: market("Los Angeles County", "06037", 9_940_000, 5821714n),
    metro: market("Los Angeles-Long Beach-Anaheim, Ca", "31080", 13_100_000, 2900078n),
    zipCodes: ["90019", "90026", "90042", "90045"],
    latitude: 34.05,
    longitude: -118.28,
  },
  {
    state: "CA",
    city: market("San Diego City", "0666000", 1_384_000, 5374167n),
    county: market("San Diego County", "06073", 3_290_000),
    metro: market("San Diego-Chula Vista-Carlsbad, Ca", "41740", 3_290_000),
    zipCodes: ["92103", "92109", "92117"],
    latitude: 32.78,
    longitude: -117.16,
  },
  {
    state: "CA",
    city: market("San Francisco City", "0667000", 851_000, 5374321n),
    county: market("San Francisco County", "06075", 851_000),
    metro: market("San Francisco-Oakland-Berkeley, Ca", "41860", 4_690_000),
    zipCodes: ["94110", "94114", "94117", "94122"],
    latitude: 37.76,
    longitude: -122.44,
  },
  {
    state: "NV",
    city: market("Las Vegas City", "3240000", 645_000, 5377230n),
    county: market("Clark County", "32003", 2_270_000),
    metro: market("Las Vegas-Henderson-Paradise, Nv", "29820", 2_270_000),
    zipCodes: ["89108", "89117", "89128"],
    latitude: 36.19,
    longitude: -115.24,
  },
  {
    state: "TX",
    city: market("Austin City", "4805000", 958_000, 5380879n),
    county: market("Travis County", "48453", 1_290_000),
    metro: market("Austin-Round Rock-Georgetown, Tx", "12420", 2_300_000),
    zipCodes: ["78702", "78704", "78745", "78757"],
    latitude: 30.27,
    longitude: -97.75,
  },
  {
    state: "GA",
    city: market("Atlanta City", "1304000", 495_000, 5384169n),
    county: market("Fulton County", "13121", 1_070_000),
    metro: market("Atlanta-Sandy Springs-Alpharetta, Ga", "12060", 6_100_000),
    zipCodes: ["30307", "30312", "30316", "30318"],
    latitude: 33.76,
    longitude: -84.38,
  },
  {
    state: "IL",
    city: market("Chicago City", "1714000", 2_720_000, 5387853n),
    county: market("Cook County", "17031", 5_230_000, 5822729n),
    metro: market("Chicago-Naperville-Elgin, Il-In-Wi", "16980", 9_570_000, 2899845n),
    zipCodes: ["60614", "60622", "60647", "60657"],
    latitude: 41.92,
    longitude: -87.67,
  },
  {
    state: "MA",
    city: market("Boston City", "2507000", 666_000, 5407714n),
    county: market("Suffolk County", "25025", 794_000),
    metro: market("Boston-Cambridge-Newton, Ma-Nh", "14460", 4_910_000),
    zipCodes: ["02116", "02118", "02127", "02130"],
    latitude: 42.34,
    longitude: -71.07,
  },
  {
    state: "DC",
    city: market("Washington City", "1150000", 671_000, 5503877n),
    county: market("District Of Columbia", "11001", 671_000),
    metro: market("Washington-Arlington-Alexandria, Dc-Va-Md-Wv", "47900", 6_350_000),
    zipCodes: ["20001", "20002", "20009", "20011"],
    latitude: 38.92,
    longitude: -77.02,
  },
];
