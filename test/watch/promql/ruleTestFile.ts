import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { durationMs } from "./expression.ts";
import { type Point, readLabels, type Series } from "./series.ts";

/** A file of promtool's unit tests, as far as the project's own uses the format. */
export type RuleTestFile = {
  readonly rule_files: readonly string[];
  readonly evaluation_interval: string;
  readonly tests: readonly RuleTest[];
};

export type RuleTest = {
  readonly name: string;
  readonly interval: string;
  readonly input_series: readonly { readonly series: string; readonly values: string }[];
  readonly alert_rule_test: readonly {
    readonly eval_time: string;
    readonly alertname: string;
    readonly exp_alerts?: readonly {
      readonly exp_labels: Readonly<Record<string, string>>;
      readonly exp_annotations: Readonly<Record<string, string>>;
    }[];
  }[];
};

export function readRuleTests(path: string): RuleTestFile {
  return parse(readFileSync(path, "utf8")) as RuleTestFile;
}

/** The series of a test: `1x3` is 1 four times, `0+2x3` is 0 2 4 6, `_` is no point, `_x3` three times none. */
export function seriesOf({ interval, input_series }: RuleTest): Series[] {
  const intervalMs = durationMs(interval);
  return input_series.map(({ series, values }) => {
    const match = /^(\w+)(?:\{(.*)\})?$/.exec(series);
    if (!match) throw new Error(`no series: ${series}`);
    const points = values
      .trim()
      .split(/\s+/)
      .flatMap(expand)
      .flatMap((value, index): Point[] => (value === undefined ? [] : [{ timeMs: index * intervalMs, value }]));
    return { labels: { ...readLabels(match[2] ?? ""), __name__: match[1] ?? "" }, points };
  });
}

function expand(text: string): (number | undefined)[] {
  const blank = /^_(?:x(\d+))?$/.exec(text);
  if (blank) return Array.from({ length: Number(blank[1] ?? 1) }, () => undefined);
  const match = /^(-?[\d.]+)(?:([+-][\d.]+))?(?:x(\d+))?$/.exec(text);
  if (!match) throw new Error(`no values: ${text}`);
  const [, first = "", step = "0", times = "0"] = match;
  return Array.from({ length: Number(times) + 1 }, (_, index) => Number(first) + Number(step) * index);
}
