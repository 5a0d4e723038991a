import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { CONDITION_KINDS } from "../../relayer/watch/condition.ts";
import { createMetrics } from "../../relayer/watch/metrics.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";

const DOCUMENT = readFileSync(join(CHECKOUT, "docs", "operators.md"), "utf8");

/** The text under a heading, up to the next of its level or above. */
function sectionOf(heading: string): string | undefined {
  const level = heading.split(" ")[0]?.length ?? 0;
  const [, text] = DOCUMENT.split(`\n${heading}\n`);
  return text?.split(new RegExp(`^#{1,${level}} `, "m"))[0];
}

it.each(CONDITION_KINDS)("%s has its section, which says what happens by itself and what to do", (kind) => {
  const section = sectionOf(`### ${kind}`);
  const paragraphs = section?.trim().split(/\n\n/) ?? [];
  expect(paragraphs.length).toBeGreaterThanOrEqual(3);
  expect(section).toMatch(/^By itself: \S/m);
  expect(section).toMatch(/^To do(?:, [^:]+)?: \S/m);
});

it("the section of alerts has no kind that there is not", () => {
  const headings = [...(sectionOf("## Alerts") ?? "").matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);
  expect(headings).toEqual([...CONDITION_KINDS]);
});

it("the table has every metric with its type, its labels and what it is", () => {
  const { registry } = createMetrics({ version: "", chains: [], nowMs: () => 0n, ofProcess: false });
  const rows = registry.getMetricsAsArray().map((metric) => {
    const { name, help, labelNames } = metric as unknown as { name: string; help: string; labelNames: string[] };
    const labels = labelNames.map((label) => `\`${label}\``).join(", ");
    return `| \`${name}\` | ${metric.constructor.name.toLowerCase()} | ${labels} | ${help} |`;
  });
  expect(DOCUMENT.split("\n").filter((line) => line.startsWith("| `homeprice_"))).toEqual(rows);
});
