import type { SyntaxNode } from "@lezer/common";
import { childOf, childrenOf, durationMs, type Expression, type Matcher, selectorOf, textOf } from "./expression.ts";
import { keyOf, type Labels, type Point, type Sample, type Series, valueAt } from "./series.ts";

type Value = number | readonly Sample[];

/**
 * Evaluates an expression at a time, as Prometheus would; only what the alert rules use is there, anything else is an
 * error. rate and increase do not extrapolate to the borders of their range.
 */
export function evaluate(expression: Expression, series: readonly Series[], timeMs: number): Value {
  return new Evaluation(expression, series, timeMs).valueOf(expression.root);
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "==": (a, b) => a === b,
  "!=": (a, b) => a !== b,
  ">": (a, b) => a > b,
  "<": (a, b) => a < b,
  ">=": (a, b) => a >= b,
  "<=": (a, b) => a <= b,
};

const ARITHMETIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
};

class Evaluation {
  readonly #expression: Expression;
  readonly #series: readonly Series[];
  readonly #timeMs: number;

  constructor(expression: Expression, series: readonly Series[], timeMs: number) {
    this.#expression = expression;
    this.#series = series;
    this.#timeMs = timeMs;
  }

  valueOf(node: SyntaxNode): Value {
    switch (node.name) {
      case "NumberDurationLiteral":
        return Number(this.#text(node));
      case "ParenExpr":
        return this.valueOf(node.firstChild?.nextSibling ?? unknown(node));
      case "VectorSelector":
        return this.#selected(node).flatMap((series) => {
          const value = valueAt(series, this.#timeMs);
          return value === undefined ? [] : [{ labels: series.labels, value }];
        });
      case "FunctionCall":
        return this.#call(node);
      case "AggregateExpr":
        return this.#aggregate(node);
      case "BinaryExpr":
        return this.#binary(node);
      default:
        return unknown(node);
    }
  }

  #text(node: SyntaxNode): string {
    return textOf(this.#expression, node);
  }

  #vector(node: SyntaxNode): readonly Sample[] {
    const value = this.valueOf(node);
    return typeof value === "number" ? unknown(node) : value;
  }

  #selected(node: SyntaxNode): Series[] {
    const { name, matchers } = selectorOf(this.#expression, node);
    return this.#series.filter(({ labels }) => labels["__name__"] === name && matchers.every(isMatchedBy(labels)));
  }

  #call(node: SyntaxNode): Value {
    const name = this.#text(childOf(node, "FunctionIdentifier"));
    const [argument] = argumentsOf(node);
    if (name === "time") return this.#timeMs / 1000;
    if (!argument) return unknown(node);
    if (name === "absent") {
      if (this.#vector(argument).length > 0) return [];
      const { matchers } = selectorOf(this.#expression, argument);
      const equal = matchers.filter(({ operator }) => operator === "=").map(({ label, value }) => [label, value]);
      return [{ labels: Object.fromEntries(equal) as Labels, value: 1 }];
    }
    const overRange = RANGE_FUNCTIONS[name];
    if (!overRange) return unknown(node);
    const selector = childOf(argument, "VectorSelector");
    const rangeMs = durationMs(this.#text(childOf(argument, "DurationExpr")));
    return this.#selected(selector).flatMap(({ labels, points }) => {
      const within = points.filter(({ timeMs }) => timeMs > this.#timeMs - rangeMs && timeMs <= this.#timeMs);
      const value = overRange(within, rangeMs);
      return value === undefined ? [] : [{ labels: withoutName(labels), value }];
    });
  }

  #aggregate(node: SyntaxNode): Sample[] {
    const operation = this.#text(childOf(node, "AggregateOp"));
    const modifier = node.getChild("AggregateModifier");
    if (modifier && !modifier.getChild("By")) return unknown(node);
    const by = modifier ? labelNamesOf(this.#expression, childOf(modifier, "GroupingLabels")) : [];
    const given = argumentsOf(node);
    const samples = this.#vector(given.at(-1) ?? unknown(node));
    const groups = [...Map.groupBy(samples, ({ labels }) => keyOf(pick(labels, by))).values()];
    if (operation === "topk") {
      const count = Number(this.#text(given[0] ?? unknown(node)));
      return groups.flatMap((group) => group.toSorted((a, b) => b.value - a.value).slice(0, count));
    }
    const fold = FOLDS[operation];
    if (!fold) return unknown(node);
    return groups.map((group) => ({
      labels: pick(group[0]?.labels ?? {}, by),
      value: fold(group.map(({ value }) => value)),
    }));
  }

  #binary(node: SyntaxNode): Value {
    const children = childrenOf(node);
    const [leftNode, operatorNode] = children;
    const rightNode = children.at(-1);
    if (!leftNode || !operatorNode || !rightNode) return unknown(node);
    const operator = this.#text(operatorNode);
    const left = this.valueOf(leftNode);
    const right = this.valueOf(rightNode);
    const modifier = node.getChild("MatchingModifierClause");
    if (modifier && !modifier.getChild("On")) return unknown(node);
    const on = modifier && labelNamesOf(this.#expression, childOf(modifier, "GroupingLabels"));
    const matchKey = ({ labels }: Sample) => keyOf(on ? pick(labels, on) : withoutName(labels));

    if (operator === "and" || operator === "or") {
      if (typeof left === "number" || typeof right === "number") return unknown(node);
      const keys = (samples: readonly Sample[]) => new Set(samples.map(matchKey));
      if (operator === "and") return left.filter((sample) => keys(right).has(matchKey(sample)));
      return [...left, ...right.filter((sample) => !keys(left).has(matchKey(sample)))];
    }
    const compare = COMPARISONS[operator];
    const calculate = ARITHMETIC[operator];
    const combine = (a: number, b: number, sample: Sample): Sample[] => {
      if (compare) return compare(a, b) ? [sample] : [];
      return calculate ? [{ labels: withoutName(sample.labels), value: calculate(a, b) }] : unknown(node);
    };
    if (typeof left === "number" && typeof right === "number")
      return calculate ? calculate(left, right) : unknown(node);
    if (typeof right === "number") return (left as readonly Sample[]).flatMap((s) => combine(s.value, right, s));
    if (typeof left === "number") return right.flatMap((s) => combine(left, s.value, s));
    const rightByKey = new Map(right.map((sample) => [matchKey(sample), sample]));
    return left.flatMap((sample) => {
      const other = rightByKey.get(matchKey(sample));
      return other ? combine(sample.value, other.value, sample) : [];
    });
  }
}

/** What a counter has grown by; it begins again at 0 when its process restarts. */
function increase(points: readonly Point[]): number | undefined {
  if (points.length < 2) return undefined;
  return points.slice(1).reduce((total, { value }, index) => {
    const before = points[index]?.value ?? 0;
    return total + (value >= before ? value - before : value);
  }, 0);
}

const RANGE_FUNCTIONS: Readonly<Record<string, (points: readonly Point[], rangeMs: number) => number | undefined>> = {
  increase,
  rate(points, rangeMs) {
    const total = increase(points);
    return total === undefined ? undefined : total / (rangeMs / 1000);
  },
  changes: (points) =>
    points.length === 0 ? undefined : points.slice(1).filter(({ value }, i) => value !== points[i]?.value).length,
};

const FOLDS: Readonly<Record<string, (values: readonly number[]) => number>> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((total, value) => total + value, 0),
};

function argumentsOf(node: SyntaxNode): SyntaxNode[] {
  return childrenOf(childOf(node, "FunctionCallBody"));
}

function labelNamesOf(expression: Expression, labels: SyntaxNode): string[] {
  return labels.getChildren("LabelName").map((label) => textOf(expression, label));
}

function isMatchedBy(labels: Labels): (matcher: Matcher) => boolean {
  return ({ label, operator, value }) => {
    const actual = labels[label] ?? "";
    const isRegex = operator.endsWith("~");
    const matches = isRegex ? new RegExp(`^(?:${value})$`).test(actual) : actual === value;
    return operator.startsWith("!") ? !matches : matches;
  };
}

function pick(labels: Labels, names: readonly string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (labels[name] === undefined ? [] : [[name, labels[name]]])));
}

function withoutName(labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).filter(([name]) => name !== "__name__"));
}

function unknown(node: SyntaxNode): never {
  throw new Error(`this evaluator does not know ${node.name}`);
}
