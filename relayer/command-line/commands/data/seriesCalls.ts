import { type Command, Option } from "commander";
import type { EndpointName } from "../../../service/endpoints/endpointTable.ts";
import type { RequestValues } from "../../../service/rules/requestRule.ts";
import { collecting, countOf, parseId } from "../../optionParsers.ts";
import { type DataCall, given } from "./dataCall.ts";

/** Which markets of a series are wanted, and which dates. */
export type SeriesOptions = {
  readonly market: readonly bigint[];
  readonly from?: string;
  readonly to?: string;
  readonly last?: number;
  readonly all?: boolean;
};

/** Rows of each market when nothing is said about dates: as many as the service gives of one. */
const USUAL_ROWS = 12;

const EXPLANATION = `
Without dates, the newest ${USUAL_ROWS} rows of each market are asked for, as with --last ${USUAL_ROWS}: one request a market, a credit a row.
With --from, --to or --all, one market is asked for alone, and several together, up to 1,000 in a request.
`;

/** The options of a dated series. */
export function withSeriesOptions(command: Command): Command {
  return command
    .addOption(
      new Option("--market <id...>", "market id, several times if need be")
        .argParser(collecting(parseId))
        .makeOptionMandatory(),
    )
    .option("--from <date>", "first date, YYYY-MM-DD")
    .option("--to <date>", "last date, YYYY-MM-DD")
    .option("--last <count>", "the newest so many rows of each market", countOf(1))
    .addOption(new Option("--all", "the whole series").conflicts("last"))
    .addHelpText("after", EXPLANATION);
}

/** The calls for a series: by one market's endpoint, or by that for many. */
export function seriesCalls(
  endpoints: { readonly single: EndpointName; readonly bulk: EndpointName },
  { market, from, to, last, all }: SeriesOptions,
  filter: RequestValues = {},
): DataCall[] {
  const markets = [...new Set(market)];
  const [only, ...others] = markets;
  const request = given({ start_date: from, end_date: to, ...filter });
  const isSpan = all || from !== undefined || to !== undefined;
  const newest = last ?? (isSpan ? undefined : USUAL_ROWS);
  if (newest !== undefined) {
    return markets.map((svc_id) => ({
      endpoint: endpoints.single,
      request: { svc_id, ...request },
      maxItems: newest,
    }));
  }
  return others.length === 0
    ? [{ endpoint: endpoints.single, request: { svc_id: only, ...request } }]
    : [{ endpoint: endpoints.bulk, request: { svc_ids: markets, ...request } }];
}
