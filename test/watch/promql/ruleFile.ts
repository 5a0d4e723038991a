import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { evaluate } from "./evaluate.ts";
import { durationMs, parseExpression } from "./expression.ts";
import { keyOf, type Labels, type Sample, type Series } from "./series.ts";

export type AlertRule = {
  readonly alert: string;
  readonly expr: string;
  readonly for?: string;
  readonly labels: Labels;
  readonly annotations: Labels;
};

type RuleFile = { readonly groups: readonly { readonly name: string; readonly rules: readonly AlertRule[] }[] };

export function readRules(path: string): AlertRule[] {
  return (parse(readFileSync(path, "utf8")) as RuleFile).groups.flatMap(({ rules }) => rules);
}

export type FiringAlert = { readonly labels: Labels; readonly annotations: Labels };

/** The elements that a rule's expression selects, without the metric's name, which an alert does not keep. */
export function selectedBy({ expr }: AlertRule, series: readonly Series[], timeMs: number): Sample[] {
  const value = evaluate(parseExpression(expr), series, timeMs);
  if (typeof value === "number") throw new Error(`a number alerts nobody: ${expr}`);
  return value.map(({ labels: { __name__: _name, ...labels }, value: each }) => ({ labels, value: each }));
}

/** What a rule fires at a time, when it is evaluated every `intervalMs` from 0 on. */
export function firingAt(
  rule: AlertRule,
  series: readonly Series[],
  { timeMs, intervalMs }: { readonly timeMs: number; readonly intervalMs: number },
): FiringAlert[] {
  const holdMs = rule.for === undefined ? 0 : durationMs(rule.for);
  let pending = new Map<string, { readonly labels: Labels; readonly sinceMs: number }>();
  let nowMs = 0;
  for (; nowMs <= timeMs; nowMs += intervalMs) {
    const selected = selectedBy(rule, series, nowMs);
    pending = new Map(
      selected.map(({ labels }) => [keyOf(labels), { labels, sinceMs: pending.get(keyOf(labels))?.sinceMs ?? nowMs }]),
    );
  }
  const evaluatedAtMs = nowMs - intervalMs;
  return [...pending.values()]
    .filter(({ sinceMs }) => evaluatedAtMs - sinceMs >= holdMs)
    .map(({ labels }) => ({
      labels: { ...labels, ...filled(rule.labels, labels) },
      annotations: filled(rule.annotations, labels),
    }));
}

/** Fills in `{{ $labels.name }}`; another template is an error. */
function filled(templates: Labels, labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(templates).map(([name, template]) => {
      const text = template.replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_all, label: string) => labels[label] ?? "");
      if (text.includes("{{")) throw new Error(`a template that is not known here: ${template}`);
      return [name, text];
    }),
  );
}
