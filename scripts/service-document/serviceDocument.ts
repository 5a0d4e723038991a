import { FIELD_RULES } from "../../relayer/service/checkRequest.ts";
import { ENDPOINT_NAMES, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import { METRICS } from "../../relayer/service/endpoints/metricTable.ts";
import { endpointSections, overviewTable, sharedRecordSections } from "./endpointSections.ts";
import { table } from "./markdown.ts";
import { SERIES_NAMES, seriesRequestSection, seriesSections } from "./seriesSections.ts";
import { vocabularyTable } from "./vocabularies.ts";

const MARKET_SEARCH: readonly EndpointName[] = ["search/markets", "property/search_markets"];
const LATEST_PRICES: readonly EndpointName[] = ["latest/sales", "latest/rental"];

/** What is put in place of `{{name}}` in the frame. */
const PARTS: Readonly<Record<string, () => string>> = {
  "field rules": () =>
    table(
      ["rule", "statement"],
      Object.entries(FIELD_RULES).map(([name, statement]) => [`\`${name}\``, statement]),
    ),
  overview: overviewTable,
  "market search": () => endpointSections(MARKET_SEARCH),
  "series requests": seriesRequestSection,
  metrics: () => seriesSections(SERIES_NAMES.filter((name) => name in METRICS)),
  "price feeds": () => seriesSections(SERIES_NAMES.filter((name) => !(name in METRICS))),
  "latest prices": () => endpointSections(LATEST_PRICES),
  // Whatever is in none of the others, so that no endpoint can be left out.
  properties: () => endpointSections(ENDPOINT_NAMES.filter((name) => !hasOtherSection(name))),
  "shared records": sharedRecordSections,
  vocabularies: vocabularyTable,
};

/** A part of the document that nothing makes, or that no place is left for. */
export class UnknownPartError extends Error {}

/**
 * The document of the service's interface.
 * @param frame Its prose, in which `{{name}}` stands where a part is generated.
 * @throws UnknownPartError, and what a part throws that cannot say all it has to.
 */
export function serviceDocument(frame: string): string {
  const used = new Set<string>();
  const text = frame.replaceAll(/\{\{([^}]+)\}\}/g, (_, name: string) => {
    const part = PARTS[name];
    if (!part) throw new UnknownPartError(`nothing makes {{${name}}}`);
    used.add(name);
    return part();
  });
  const left = Object.keys(PARTS).filter((name) => !used.has(name));
  if (left.length > 0) throw new UnknownPartError(`no place is left for ${left.join(", ")}`);
  return text;
}

function hasOtherSection(name: EndpointName): boolean {
  const series: readonly string[] = SERIES_NAMES.flatMap((one) => [one, `${one}/bulk`]);
  return [...MARKET_SEARCH, ...LATEST_PRICES, ...series].includes(name);
}
