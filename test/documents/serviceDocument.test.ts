import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, test } from "vitest";
import * as z from "zod";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS } from "../../relayer/service/endpoints/endpointTable.ts";
import * as client from "../../relayer/service/index.ts";
import { type Field, fieldsOf, UndescribedTypeError } from "../../scripts/service-document/schemaFields.ts";
import { serviceDocument, UnknownPartError } from "../../scripts/service-document/serviceDocument.ts";
import { CHECKOUT, type Running, readyDocument, startCommand } from "../endToEnd/commandLine.ts";
import { run } from "../package/runProgram.ts";
import { fencedBlocksOf } from "./fencedBlocks.ts";

const DOCUMENT = "docs/service.md";

const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");
const document = read(DOCUMENT);
const frame = read("scripts/service-document/frame.md");

/** Sections below headings of the third level, by heading. */
const sections = new Map(
  document
    .split(/^### /m)
    .slice(1)
    .map((text) => text.split(/^## /m)[0] ?? "")
    .map((text) => [text.slice(0, text.indexOf("\n")), text] as const),
);

it("is what the generator makes of the table", () => {
  expect(document, "out of date: run npm run generate").toBe(serviceDocument(frame));
});

/** An endpoint's own section, that of its series, and what these refer to. */
function textOn(name: string): string {
  const own = sections.get(name) ?? sections.get(name.replace(/\/bulk$/, "")) ?? "";
  const referred = [...own.matchAll(/\[([^\]]+)\]\(#/g)].map(([, words = ""]) => words.toLowerCase());
  const others = [...sections].filter(([heading]) => referred.includes(heading.toLowerCase())).map(([, text]) => text);
  const series = document.slice(document.indexOf("\n## Series\n"), document.indexOf("\n## Metrics\n"));
  return [own, ...others, series].join("\n");
}

function namesIn(fields: readonly Field[]): string[] {
  return fields.flatMap((field) => [field.name, ...namesIn(field.fields)]);
}

function leavesOf(fields: readonly Field[]): Field[] {
  return fields.flatMap((field) => [field, ...leavesOf(field.fields)]);
}

test.each(ENDPOINT_NAMES)("%s: has a summary, its paths, its rules, and every field with a type", (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  const text = textOn(name);
  expect(endpoint.summary).toMatch(/^[A-Z].+\.$/);
  expect(text).toContain(endpoint.summary);
  expect(document).toContain(`[${name}](#`);
  for (const path of [endpoint.path, ...endpoint.otherPaths.map((other) => other.path)]) expect(text).toContain(path);
  for (const { name: rule, statement } of endpoint.rules) {
    expect(statement).toMatch(/\.$/);
    expect(text).toContain(`\`${rule}\`: ${statement}`);
  }
  if (endpoint.deprecated !== undefined) expect(text).toContain(endpoint.deprecated);

  const fields = [...fieldsOf(endpoint.request, name), ...fieldsOf(endpoint.item, name)];
  expect(leavesOf(fields).filter(({ type }) => type === "")).toEqual([]);
  const missing = namesIn(fields).filter((field) => !new RegExp(`[\`.]${field}\``).test(text));
  expect(missing).toEqual([]);
});

it("has every rule that a request can break, and every function and error of the client", () => {
  for (const rule of [...Object.keys(client.FIELD_RULES), "no-offset-over-parts"]) {
    expect(document).toContain(`\`${rule}\``);
  }
  const callables = Object.entries(client).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));
  expect(callables.length).toBeGreaterThan(30);
  expect(callables.filter((name) => !new RegExp(`\\b${name}\\b`).test(document))).toEqual([]);
});

it("cannot be silent about a type, or about a part", () => {
  expect(() => fieldsOf(z.strictObject({ a: z.map(z.string(), z.string()) }), "request")).toThrow(UndescribedTypeError);
  expect(() => fieldsOf(z.strictObject({ a: z.array(z.strictObject({ b: z.symbol() })) }), "request")).toThrow(
    "request.a[].b",
  );
  expect(() => serviceDocument("{{something}}")).toThrow(UnknownPartError);
  expect(() => serviceDocument(frame.replace("{{overview}}", ""))).toThrow("no place is left for overview");
});

describe("its programs", () => {
  /** Inside the checkout, where packages are found; git ignores it. */
  const parent = join(CHECKOUT, "cache", "documents");
  let folder: string;
  let simulator: Running;
  let access: Readonly<Record<string, string>>;
  beforeAll(async () => {
    await mkdir(parent, { recursive: true });
    folder = await mkdtemp(join(parent, "service-"));
    simulator = startCommand(["simulator", "--json", "--port", "0"]);
    const { url, apiKey } = await readyDocument(simulator);
    access = { HOMEPRICE_API_URL: url, HOMEPRICE_API_KEY: apiKey };
  });
  afterAll(async () => {
    await simulator.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const programs = new Map(
    fencedBlocksOf(DOCUMENT)
      .filter(({ language }) => language === "ts")
      .map(({ chapter, text }) => [chapter, text]),
  );

  /** What a program says of the simulated service, line by line. */
  async function runProgram(chapter: string): Promise<string[]> {
    const entry = JSON.stringify(join(CHECKOUT, "relayer", "service", "index.ts"));
    const text = programs.get(chapter)?.replace('"home-price-oracle/service"', entry) ?? "throw new Error()";
    const environment = `Object.assign(process.env, ${JSON.stringify(access)});`;
    const path = join(folder, `${chapter.replaceAll(/\W+/g, "-")}.ts`);
    // Imports come first whatever stands before them.
    await writeFile(path, `${environment}\n${text}`);
    const { exitCode, stdout, stderr } = await run(process.execPath, [path], CHECKOUT);
    expect(stderr).toBe("");
    expect(exitCode).toBe(0);
    return stdout.trimEnd().split("\n");
  }

  it("are those that run here", () => {
    const chapters = ["Asking", "Events and transactions", "Ratios and yields", "Pages, credits and budgets"];
    expect([...programs.keys()]).toEqual(chapters);
  });

  it.each(["Ratios and yields", "Pages, credits and budgets"])("%s: say what stands behind them", async (chapter) => {
    const expected = [...(programs.get(chapter) ?? "").matchAll(/^ *console\.log\(.*\); \/\/ (.+)$/gm)];
    expect(expected.length).toBeGreaterThan(1);
    expect(await runProgram(chapter)).toEqual(expected.map(([, said]) => said));
  });

  it("Asking: months of the nation, days of three markets, cities", async () => {
    const said = await runProgram("Asking");
    const [months = "", ...days] = said.slice(0, -1);
    expect(months).toMatch(/^\d+ \d{4}-\d{2}-01 \d+(\.\d+)?$/);
    for (const day of days) expect(day).toMatch(/^(5826765|5822447|5387853)n \d{4}-\d{2}-\d{2} \d+(\.\d+)?$/);
    expect(days.filter((day) => day.startsWith("5826765n")).length * 3).toBe(days.length);
    expect(said.at(-1)).toMatch(/^\d+ .*Miami.* City \d+$/);
  });

  it("Events and transactions: sales and other transfers are all transfers, and sales have prices", async () => {
    const [areAll, ...others] = await runProgram("Events and transactions");
    expect(areAll).toBe("true");
    expect(others.slice(0, -2).join("")).toMatch(/\[ '\d{4}-\d{2}-\d{2}', '\d+(\.\d+)?' \]/);
    for (const count of others.slice(-2)) expect(count).toMatch(/^\d+$/);
  });
});
