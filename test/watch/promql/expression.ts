import type { SyntaxNode } from "@lezer/common";
import { parser } from "@prometheus-io/lezer-promql";

/** An expression that was parsed, with its text. */
export type Expression = { readonly text: string; readonly root: SyntaxNode };

/** @throws Error when it does not parse. */
export function parseExpression(text: string): Expression {
  const tree = parser.parse(text);
  tree.iterate({
    enter(node) {
      if (node.type.isError) throw new Error(`does not parse at ${node.from}: ${text}`);
    },
  });
  const root = tree.topNode.firstChild;
  if (!root) throw new Error(`nothing in it: ${text}`);
  return { text, root };
}

export function textOf({ text }: Expression, { from, to }: SyntaxNode): string {
  return text.slice(from, to);
}

export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling) children.push(child);
  return children;
}

export function childOf(node: SyntaxNode, name: string): SyntaxNode {
  const child = node.getChild(name);
  if (!child) throw new Error(`${node.name} without ${name}`);
  return child;
}

export type Matcher = { readonly label: string; readonly operator: string; readonly value: string };

export type Selector = { readonly name: string; readonly matchers: readonly Matcher[] };

export function selectorOf(expression: Expression, node: SyntaxNode): Selector {
  const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
  return {
    name: textOf(expression, childOf(node, "Identifier")),
    matchers: matchers.map((matcher) => ({
      label: textOf(expression, childOf(matcher, "LabelName")),
      operator: textOf(expression, childOf(matcher, "MatchOp")),
      value: JSON.parse(textOf(expression, childOf(matcher, "StringLiteral"))) as string,
    })),
  };
}

/** Every selector of an expression. */
export function selectorsOf(expression: Expression): Selector[] {
  const selectors: Selector[] = [];
  expression.root.cursor().iterate((node) => {
    if (node.name === "VectorSelector") selectors.push(selectorOf(expression, node.node));
  });
  return selectors;
}

/** Every label that an expression groups or matches by. */
export function groupingLabelsOf(expression: Expression): string[] {
  const labels: string[] = [];
  expression.root.cursor().iterate((node) => {
    if (node.name === "GroupingLabels") {
      for (const label of node.node.getChildren("LabelName")) labels.push(textOf(expression, label));
    }
  });
  return labels;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Milliseconds of a duration such as `30m`. */
export function durationMs(text: string): number {
  const match = /^(\d+)([smhd])$/.exec(text);
  const unit = UNITS_MS[match?.[2] ?? ""];
  if (!match || unit === undefined) throw new Error(`no duration that is known here: ${text}`);
  return Number(match[1]) * unit;
}
