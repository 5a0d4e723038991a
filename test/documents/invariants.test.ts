import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

const DOCUMENT = "docs/invariants.md";

const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

type Citation = { readonly path: string; readonly names: readonly string[] };
type Rule = {
  readonly number: number;
  readonly title: string;
  /** What holds. */
  readonly text: string;
  /** F: fuzzed; I: among the invariants. */
  readonly marks: string;
  readonly citations: readonly Citation[];
};

/** `- [path](../path): "name", "name"`, wherever its lines are broken. */
function citationsIn(list: string): Citation[] {
  return list
    .split(/^- /m)
    .slice(1)
    .map((item) => item.replaceAll(/\s+/g, " "))
    .map((item) => {
      const [, label, link = "", rest = ""] = /^\[([^\]]+)\]\(([^)]+)\): (.+)$/.exec(item) ?? [];
      const path = join(dirname(DOCUMENT), link);
      expect(label, item).toBe(path);
      return { path, names: [...rest.matchAll(/"([^"]+)"/g)].map(([, name = ""]) => name) };
    });
}

const rules: Rule[] = read(DOCUMENT)
  .split(/^### /m)
  .slice(1)
  .map((section) => section.split(/^## /m)[0] ?? "")
  .map((section) => {
    const [, number, title = "", text = "", marks = "", list = ""] =
      /^(\d+)\. (.+)\n([\s\S]+)\nChecked by(?: · ([FI ]+))?:\n([\s\S]+)$/.exec(section) ?? [];
    return { number: Number(number), title, text, marks, citations: citationsIn(list) };
  });

/** A test, or a group of tests, of this name, up to the next one; `undefined` if the file has none. */
function testIn(path: string, name: string): string | undefined {
  const text = read(path);
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const begin = path.endsWith(".sol")
    ? `function ${literal}\\(`
    : `(?:\\b(?:it|test|describe)|\\))\\(\\s*(["'\`])${literal}\\1`;
  const [found] = new RegExp(`${begin}[\\s\\S]*?(?=\\n\\s*(?:it|test|describe|function)\\b|$)`).exec(text) ?? [];
  return found;
}

it("the rules are numbered, and each says what holds and which tests check it", () => {
  expect(rules.length).toBeGreaterThan(40);
  expect(rules.map(({ number }) => number)).toEqual(rules.map((_, index) => index + 1));
  for (const { title, text, citations } of rules) {
    expect(text, title).toMatch(/\*\*(?:Then|then)\*\*/);
    expect(citations.length, title).toBeGreaterThan(0);
  }
});

it.each(rules.map((rule) => [`${rule.number}. ${rule.title}`, rule] as const))(
  "%s: the tests that it names are there",
  (_, { citations }) => {
    for (const { path, names } of citations) {
      expect(existsSync(join(CHECKOUT, path)), path).toBe(true);
      expect(names.length, path).toBeGreaterThan(0);
      expect(
        names.filter((name) => testIn(path, name) === undefined),
        path,
      ).toEqual([]);
    }
  },
);

it("a rule is called fuzzed if and only if a fuzz test or a property is among its tests", () => {
  const isFuzzed = ({ path, names }: Citation) =>
    names.some((name) => name.startsWith("testFuzz") || testIn(path, name)?.includes("fc.assert("));
  expect(rules.filter(({ marks }) => marks.includes("F")).map(({ title }) => title)).toEqual(
    rules.filter(({ citations }) => citations.some(isFuzzed)).map(({ title }) => title),
  );
});

it("a rule whose tests are the invariants is marked so", () => {
  const ofInvariants = rules.filter(({ citations }) =>
    citations.some(({ path }) => path.startsWith("test/solidity/invariants/")),
  );
  expect(ofInvariants.length).toBeGreaterThan(3);
  for (const { title, marks } of ofInvariants) expect(marks, title).toContain("I");
});
