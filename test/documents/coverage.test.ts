import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { FIELD_RULES } from "../../relayer/service/checkRequest.ts";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { statementsOf } from "./specificationStatements.ts";

const DOCUMENT = "docs/coverage.md";

/** The specification is no part of the repository. */
const specificationPath =
  process.env["SERVICE_SPECIFICATION"] ?? resolve(CHECKOUT, "../shared/spec/service-interface.md");
const hasSpecification = existsSync(specificationPath);
if (!hasSpecification) {
  process.stdout.write(
    "skipped: whether docs/coverage.md has every statement of the specification (set SERVICE_SPECIFICATION)\n",
  );
}

const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");

type Reference = { readonly label: string; readonly path: string };
type Row = {
  readonly id: string;
  readonly fact: string;
  readonly references: readonly Reference[];
  /** Why nothing covers it, or not all of it. */
  readonly reason: string | undefined;
  readonly fingerprint: string;
};

const rows: Row[] = [...read(DOCUMENT).matchAll(/^\| ([a-z0-9-]+-\d+) \| (.*) \| (.*) \| (\S*) \|$/gm)].map(
  ([, id = "", fact = "", cover = "", fingerprint = ""]) => ({
    id,
    fact: fact.trim(),
    references: [...cover.matchAll(/\[([^\]]+)\]\(([^)]+)\)/g)].map(([, label = "", link = ""]) => ({
      label,
      path: join(dirname(DOCUMENT), link),
    })),
    reason: /(?:^|; )none: (.+)$/.exec(cover)?.[1],
    fingerprint,
  }),
);

describe("every row", () => {
  it("is there: no line of a table is anything else", () => {
    const lines = read(DOCUMENT)
      .split("\n")
      .filter((line) => line.startsWith("|") && !line.startsWith("|---") && !line.startsWith("| statement |"));
    expect(rows.length).toBeGreaterThan(250);
    expect(lines.length).toBe(rows.length);
  });

  it("has a number of its own in its section, without gaps, and a fingerprint of its own", () => {
    const seen = new Map<string, number>();
    for (const { id } of rows) {
      const [, section = "", number] = /^(.+)-(\d+)$/.exec(id) ?? [];
      seen.set(section, (seen.get(section) ?? 0) + 1);
      expect([id, Number(number)]).toEqual([id, seen.get(section)]);
    }
    expect(rows.filter(({ fingerprint }) => !/^[0-9a-f]{10}$/.test(fingerprint))).toEqual([]);
    expect(new Set(rows.map(({ fingerprint }) => fingerprint)).size).toBe(rows.length);
  });

  it("says what the statement says, and what covers it or why nothing does", () => {
    for (const { id, fact, references, reason } of rows) {
      expect(fact, id).not.toBe("");
      expect(references.length > 0 || (reason?.length ?? 0) > 15, id).toBe(true);
    }
  });

  it("has a test or a row of the assumptions among what covers it, or says why it cannot", () => {
    const isChecked = ({ path }: Reference) => path.startsWith("test/") || path === "ASSUMPTIONS.md";
    const byCodeAlone = rows.filter((row) => row.reason === undefined && !row.references.some(isChecked));
    expect(byCodeAlone.map(({ id }) => id)).toEqual([]);
    const without = rows.filter((row) => row.reason !== undefined);
    process.stdout.write(
      `the specification: ${rows.length} statements, ${without.length} with something no test can show\n`,
    );
  });
});

const references = new Map<string, Set<string>>();
for (const { label, path } of rows.flatMap((row) => row.references)) {
  references.set(path, (references.get(path) ?? new Set()).add(label));
}

/** Its tests are made of the endpoint table: a group for each endpoint. */
const CONTRACT = "test/service/contract.test.ts";

/** Whether the contract suite has `endpoint › test`, or breaks this rule at this endpoint. */
function isInContract(text: string, label: string): boolean {
  const [name = "", title = ""] = label.slice(1, -1).split(" › ");
  if (!(name in ENDPOINTS) || !text.includes("describe.each(ENDPOINT_NAMES)")) return false;
  const [, rule] = /^breaks rule (.+)$/.exec(title) ?? [];
  if (rule === undefined) return text.includes(`"${title}"`);
  const { rules }: Endpoint = ENDPOINTS[name as EndpointName];
  const known = [...rules.map((one) => one.name), ...Object.keys(FIELD_RULES)];
  return known.includes(rule) && text.includes("`breaks rule $");
}

/** Whether a file has what a label names: a test, a symbol, or, of a document, words. */
function isThere(label: string, path: string): boolean {
  const text = read(path);
  if (path === CONTRACT && label.includes(" › ")) return isInContract(text, label);
  const name = label.slice(1, -1);
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&");
  if (path.endsWith(".md")) return text.replaceAll(/\s+/g, " ").includes(label);
  if (label.startsWith('"')) {
    return new RegExp(`(?:\\b(?:it|test|describe)|\\))\\(\\s*(["'\`])${literal}\\1`).test(text);
  }
  if (label === `\`${path}\``) return true;
  const defined = `\\b(?:const|let|function|class|type|interface|enum|contract|library|struct|constant)\\s+${literal}\\b`;
  const key = `(?:^|[\\s{(;])(?:readonly\\s+)?(["']?)${literal}\\1\\??\\s*[:,(]`;
  return label.startsWith("`") && (new RegExp(defined).test(text) || new RegExp(key, "m").test(text));
}

it.each([...references])("%s has all that rows name", (path, labels) => {
  expect(existsSync(join(CHECKOUT, path))).toBe(true);
  expect([...labels].filter((label) => !isThere(label, path))).toEqual([]);
});

it("a symbol, a test or a row that is not there would be missed", () => {
  const [code, test] = ["relayer/service/rules/searchRadius.ts", "test/service/flags.test.ts"];
  expect([isThere("`searchRadius`", code), isThere("`searchDiameter`", code)]).toEqual([true, false]);
  expect([isThere('"a flag of an answer"', test), isThere('"a flag of"', test)]).toEqual([true, false]);
  expect(isThere("The moon is made of cheese", "ASSUMPTIONS.md")).toBe(false);
  const ofCircles = '"property_search/v2 › breaks rule radius-at-most-10-miles"';
  const elsewhere = ofCircles.replace("property_search/v2", "property/search");
  expect([isThere(ofCircles, CONTRACT), isThere(elsewhere, CONTRACT)]).toEqual([true, false]);
});

describe.skipIf(!hasSpecification)("beside the specification", () => {
  const statements = hasSpecification ? statementsOf(readFileSync(specificationPath, "utf8")) : [];

  it("has exactly its statements, each once", () => {
    const known = new Set(rows.map(({ id, fingerprint }) => `${id} ${fingerprint}`));
    const said = new Set(statements.map(({ id, fingerprint }) => `${id} ${fingerprint}`));
    expect(statements.length).toBeGreaterThan(200);
    const missing = statements.filter(({ id, fingerprint }) => !known.has(`${id} ${fingerprint}`));
    expect(
      missing.map(({ id, fingerprint, text }) => `${id} ${fingerprint} ${text}`),
      "new or changed",
    ).toEqual([]);
    expect(
      [...known].filter((row) => !said.has(row)),
      "gone or changed",
    ).toEqual([]);
  });

  it("does not repeat its sentences, here or in the service's document", () => {
    const ours = [DOCUMENT, "docs/service.md"]
      .map((path) => read(path).replaceAll(/\s+/g, " ").toLowerCase())
      .join("\n");
    const sentences = statements
      .map(({ text }) =>
        text
          .slice(text.lastIndexOf("|") + 1)
          .trim()
          .replace(/\.$/, ""),
      )
      .filter((text) => text.split(" ").length >= 6);
    expect(sentences.length).toBeGreaterThan(100);
    expect(sentences.filter((text) => ours.includes(text.toLowerCase()))).toEqual([]);
  });
});

describe("a specification is split", () => {
  const texts = (markdown: string) => statementsOf(markdown).map(({ id, text }) => `${id}: ${text}`);

  it("into sentences of paragraphs and lists", () => {
    expect(
      texts(
        "# Name: long\n\nFirst. Second goes\nover lines.\n\n## The *rest* (of it)\n\nRules:\n\n1. One; still one.\n- Two.",
      ),
    ).toEqual([
      "introduction-1: First.",
      "introduction-2: Second goes over lines.",
      "the-rest-1: One; still one.",
      "the-rest-2: Two.",
    ]);
  });

  it("into table rows, and their sentences where there are several", () => {
    expect(texts("## T\n\n| a | b |\n|---|---|\n| x | One thing |\n| y | One. Two. |\n| z | |")).toEqual([
      "t-1: x | One thing",
      "t-2: y | One.",
      "t-3: y | Two.",
      "t-4: z",
    ]);
  });

  it("not at three dots", () => {
    expect(texts("## T\n\nPaths are /a/... and /b/.... Others are not.")).toEqual([
      "t-1: Paths are /a/... and /b/....",
      "t-2: Others are not.",
    ]);
  });

  it("so that spaces make no difference, and sections do", () => {
    const fingerprints = (markdown: string) => statementsOf(markdown).map(({ fingerprint }) => fingerprint);
    expect(fingerprints("## T\n\nOne   thing\nonly.")).toEqual(fingerprints("## T\n\n- One thing only."));
    expect(fingerprints("## T\n\nOne.")).not.toEqual(fingerprints("## U\n\nOne."));
  });
});
