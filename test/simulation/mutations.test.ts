import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";
import { MUTATIONS, mutationNamed } from "../../simulation/mutations/mutations.ts";

describe("the mutations of the relayer's code", () => {
  it("are ten at least, each with a name of its own", () => {
    expect(MUTATIONS.length).toBeGreaterThanOrEqual(10);
    expect(new Set(MUTATIONS.map(({ name }) => name)).size).toBe(MUTATIONS.length);
    expect(() => mutationNamed("no such")).toThrow(RangeError);
  });

  it.each(MUTATIONS)("fit the source as it is: $name", ({ changes }) => {
    expect(changes.length).toBeGreaterThan(0);
    for (const { file, from, to } of changes) {
      const source = readFileSync(packageFile(file), "utf8");
      expect(source.split(from), `${file}: ${from}`).toHaveLength(2);
      expect(to).not.toBe(from);
    }
  });
});
