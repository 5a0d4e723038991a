import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { fencedBlocksOf } from "./fencedBlocks.ts";

/** Documents with programs, and chapters that have to be among them. */
const DOCUMENTS: readonly [document: string, chapters: readonly string[]][] = [
  ["docs/consumers.md", ["The first afternoon", "TypeScript SDK", "Testing your contracts"]],
  ["docs/service.md", ["Asking", "Events and transactions", "Ratios and yields", "Pages, credits and budgets"]],
];

// Some seconds on an idle machine.
vi.setConfig({ testTimeout: 180_000 });

/** Inside the checkout, where packages are found; git ignores it. */
const PARENT = join(CHECKOUT, "cache", "documents");

let folder: string;
beforeAll(async () => {
  await mkdir(PARENT, { recursive: true });
  folder = await mkdtemp(join(PARENT, "typescript-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The blocks of a chapter are one program. Its lines are those of the document. */
function programs(document: string): Map<string, string> {
  const linesOf = new Map<string, string[]>();
  for (const { language, chapter, line, text } of fencedBlocksOf(document)) {
    if (language !== "ts") continue;
    const lines = linesOf.get(chapter) ?? [];
    linesOf.set(chapter, lines);
    while (lines.length < line - 1) lines.push("");
    lines.push(...text.split("\n"));
  }
  return new Map([...linesOf].map(([chapter, lines]) => [chapter, `${lines.join("\n")}\nexport {};\n`]));
}

/** As strict as this project, by the names under which others import it. */
const configuration = () => ({
  extends: join(CHECKOUT, "tsconfig.json"),
  compilerOptions: {
    noUnusedLocals: false,
    paths: {
      "home-price-oracle/sdk": [join(CHECKOUT, "sdk", "index.ts")],
      "home-price-oracle/service": [join(CHECKOUT, "relayer", "service", "index.ts")],
      "home-price-oracle/testing": [join(CHECKOUT, "testing", "index.ts")],
    },
  },
  include: ["*.ts"],
});

/** What the compiler says; nothing if all is well. */
async function typeCheck(): Promise<string> {
  const compiler = join(CHECKOUT, "node_modules", "typescript", "bin", "tsc");
  const call = [compiler, "-p", folder, "--noEmit", "--pretty", "false"];
  return await new Promise((resolve) => {
    execFile(process.execPath, call, { cwd: folder }, (error, stdout, stderr) => {
      resolve(`${stdout}${stderr}${error && stdout === "" && stderr === "" ? error.message : ""}`);
    });
  });
}

it("every TypeScript block type-checks, chapter by chapter, and a wrong one would not", async () => {
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration()));
  for (const [document, chapters] of DOCUMENTS) {
    const found = programs(document);
    expect([...found.keys()]).toEqual(expect.arrayContaining([...chapters]));
    for (const [chapter, text] of found) {
      await writeFile(join(folder, `${`${document}-${chapter}`.replaceAll(/\W+/g, "-")}.ts`), text);
    }
  }
  const wrong = 'import { salesFeedId } from "home-price-oracle/sdk";\nexport const id: string = salesFeedId(1n);\n';
  await writeFile(join(folder, "wrong.ts"), wrong);
  const [wrongs = "", ...others] = (await typeCheck()).split(/^(?=\S)/m);
  expect(others.join("")).toBe("");
  expect(wrongs).toMatch(/^wrong\.ts\(2,14\): error TS2322/);
});

it("the test of the testing chapter passes", async () => {
  const [block, ...others] = fencedBlocksOf("docs/consumers.md").filter(({ text }) =>
    text.includes('from "node:test"'),
  );
  if (!block || others.length > 0) throw new Error("the chapter has no test, or several");
  const entry = join(CHECKOUT, "testing", "index.ts");
  const path = join(folder, "testing.test.ts");
  await writeFile(path, block.text.replace('"home-price-oracle/testing"', JSON.stringify(entry)));
  const said = await new Promise<string>((resolve) => {
    execFile(process.execPath, ["--test", "--test-reporter=tap", path], { cwd: CHECKOUT }, (_, stdout) => {
      resolve(stdout);
    });
  });
  expect(said).toMatch(/^# pass 1$/m);
  expect(said).toMatch(/^# fail 0$/m);
});
