import { Argument, Option } from "commander";
import { METRIC_NAMES, METRICS, type MetricName } from "../../../service/endpoints/metricTable.ts";
import {
  PORTFOLIO_SIZES,
  type PortfolioSize,
  PROPERTY_TYPES,
  type PropertyType,
} from "../../../service/schemas/vocabulary.ts";
import { choiceOf } from "../../optionParsers.ts";
import { defineDataCommand } from "./dataCommand.ts";
import { type SeriesOptions, seriesCalls, withSeriesOptions } from "./seriesCalls.ts";

type MetricsOptions = SeriesOptions & {
  readonly propertyType?: PropertyType;
  readonly portfolioSize?: PortfolioSize;
};

const METRIC_LIST = METRIC_NAMES.map((name) => `  ${name}\n      ${METRICS[name].summary}`).join("\n");

export const metricsCommand = defineDataCommand<MetricsOptions>(
  "metrics",
  "market metrics: a series of one or many markets, newest date first",
  [
    "homeprice data metrics market_metrics/housing_event_counts --market 5826765",
    "homeprice data metrics market_metrics/housing_event_prices --market 2900187 --from 2024-01-01 --format csv",
    "homeprice data metrics rental_market_metrics/gross_yield --market 2900187 2900078 --all --output yield.csv",
    "homeprice data metrics portfolio_metrics/sf_housing_event_counts --market 5826765 --portfolio-size portfolio-1000-plus --last 3 --json",
    "homeprice data metrics market_metrics/all_cash --market 5826765 --all --estimate",
  ],
  (command) =>
    withSeriesOptions(
      command.addArgument(
        new Argument("<category/metric>", "which metric; see below").argParser(choiceOf(METRIC_NAMES)),
      ),
    )
      .addOption(
        new Option("--property-type <type>", `one of ${PROPERTY_TYPES.join(", ")}`).argParser(choiceOf(PROPERTY_TYPES)),
      )
      .addOption(
        new Option("--portfolio-size <size>", `one of ${PORTFOLIO_SIZES.join(", ")}`).argParser(
          choiceOf(PORTFOLIO_SIZES),
        ),
      )
      .addHelpText("after", `\nMetrics:\n${METRIC_LIST}`),
  (options, _context, name) => {
    const metric = name as MetricName;
    const { propertyType: property_type, portfolioSize: portfolio_size } = options;
    const endpoints = { single: metric, bulk: `${metric}/bulk` } as const;
    return { calls: seriesCalls(endpoints, options, { property_type, portfolio_size }), what: "row" };
  },
);
