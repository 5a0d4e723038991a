import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

const DOCUMENTS = [
  "README.md",
  "ASSUMPTIONS.md",
  ...readdirSync(join(CHECKOUT, "docs"))
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

const read = (document: string) => readFileSync(join(CHECKOUT, document), "utf8").replaceAll(/^```[\s\S]*?^```$/gm, "");

/** Anchors of a document's headings, as GitHub makes them. */
function anchorsOf(document: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading = ""] of read(document).matchAll(/^#{1,6} (.+)$/gm)) {
    const words = heading.toLowerCase().replaceAll(/[^\p{L}\p{N}\s_-]/gu, "");
    const anchor = words.replaceAll(" ", "-");
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count += 1) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

it.each(DOCUMENTS)("%s: every relative link leads somewhere", (document) => {
  const broken = [...read(document).matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, target = ""]) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? document : join(dirname(document), path);
      if (!existsSync(join(CHECKOUT, file))) return true;
      return anchor !== undefined && !anchorsOf(file).has(anchor);
    });
  expect(broken).toEqual([]);
});

it("documents are found", () => {
  expect(DOCUMENTS).toEqual(expect.arrayContaining(["docs/consumers.md", "docs/invariants.md", "docs/gas.md"]));
});
