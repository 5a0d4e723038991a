import { EVENT_TYPES } from "../../relayer/service/schemas/housingEventNames.ts";
import {
  LOCATION_TYPES,
  MARKET_SORT_FIELDS,
  PORTFOLIO_SIZES,
  PROPERTY_TYPES,
  REGIONS,
  STATE_ABBREVIATIONS,
  STATE_FIPS_CODES,
} from "../../relayer/service/schemas/vocabulary.ts";
import { inCode, table } from "./markdown.ts";

/** Fixed vocabularies of requests, by the name that tables link to. */
const VOCABULARIES: readonly { readonly name: string; readonly words: readonly string[] }[] = [
  { name: "property type", words: PROPERTY_TYPES },
  { name: "portfolio size", words: PORTFOLIO_SIZES },
  { name: "event type", words: [...EVENT_TYPES, "ALL"] },
  { name: "location type", words: LOCATION_TYPES },
  { name: "region", words: REGIONS },
  { name: "sort field", words: MARKET_SORT_FIELDS },
  { name: "state", words: STATE_ABBREVIATIONS },
  { name: "state FIPS code", words: STATE_FIPS_CODES },
];

/** A link to the vocabulary that has exactly these words, in whichever order. */
export function vocabularyOf(words: readonly string[]): string | undefined {
  const key = (list: readonly string[]) => list.toSorted().join();
  const found = VOCABULARIES.find((vocabulary) => key(vocabulary.words) === key(words));
  return found && `[${found.name}](#vocabularies)`;
}

export function vocabularyTable(): string {
  return table(
    ["name", "words"],
    VOCABULARIES.map(({ name, words }) => [name, inCode(words)]),
  );
}
