import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { z } from "zod";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

const read = (path: string) => readFileSync(join(CHECKOUT, path), "utf8");
const [, section = ""] = read("docs/invariants.md").split("\n## Fuzzing\n");
const rows = [...section.matchAll(/^\|[^|]+\| \[([\w/.]+)\][^|]*\| ([\d, ()]+) \| ([\d, ()]+) \|$/gm)].map(
  ([, path = "", ci = "", long = ""]) => ({ path, ci, long }),
);

const written = (runs: string) => Number(runs.replaceAll(/\D/g, ""));

const configurationSchema = z.object({
  fuzz: z.object({ runs: z.int() }),
  invariant: z.object({ runs: z.int(), depth: z.int() }),
});

/** What the project's configuration says of Solidity tests. */
function solidityRuns(profile: "ci" | "long"): z.output<typeof configurationSchema> {
  const program = 'import("./hardhat.config.ts").then((m) => console.log(JSON.stringify(m.default.test.solidity)))';
  const env = { ...process.env, HOMEPRICE_TEST_PROFILE: profile };
  const answer = execFileSync(process.execPath, ["-e", program], { cwd: CHECKOUT, env, encoding: "utf8" });
  return configurationSchema.parse(JSON.parse(answer));
}

const ofTypescript = rows.filter(({ path }) => path.endsWith(".ts"));

it.each(ofTypescript)("$path makes as many runs as the document says", ({ path, ci, long }) => {
  const runs = [...read(path).matchAll(/LONG \? ([\d_]+) : ([\d_]+)/g)].map(([, ofLong = "", ofCi = ""]) => [
    written(ofCi),
    written(ofLong),
  ]);
  expect(runs).toContainEqual([written(ci), written(long)]);
});

it("Solidity tests make as many runs as the document says", () => {
  expect(rows.length).toBe(ofTypescript.length + 2);
  const [sequences, fuzz] = rows;
  const profiles = { ci: solidityRuns("ci"), long: solidityRuns("long") };
  for (const profile of ["ci", "long"] as const) {
    const { runs, depth } = profiles[profile].invariant;
    expect(sequences?.[profile]).toBe(`${runs.toLocaleString("en-US")} (${depth})`);
    expect(written(fuzz?.[profile] ?? "")).toBe(profiles[profile].fuzz.runs);
  }
});

it("all properties of the oracle, the adapters, the libraries and the examples are in the table", () => {
  const known = new Set(ofTypescript.map(({ path }) => path));
  const folders = ["oracle", "adapters", "derived", "examples"].map((folder) => join("test", folder));
  const withProperties = folders
    .flatMap((folder) => readdirSync(join(CHECKOUT, folder)).map((name) => join(folder, name)))
    .filter((path) => path.endsWith(".ts") && read(path).includes("fc.assert("));
  expect(withProperties.length).toBeGreaterThan(5);
  expect(withProperties.filter((path) => !known.has(path))).toEqual([]);
});
