import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { editFeedList } from "../../relayer/markets/editFeedList.ts";
import type { FeedListDifference, MarketChange } from "../../relayer/markets/feedList.ts";

function change(before: readonly string[], after: readonly string[]): MarketChange {
  const [entry = ""] = [...before, ...after];
  return { marketId: BigInt(entry.split(":")[0] ?? ""), before, after };
}

const DIFFERENCE: FeedListDifference = {
  added: [change([], ["9"]), change([], ["8:sales"])],
  removed: [change(["2"], [])],
  changed: [change(["3:sales"], ["3"])],
  unchanged: [],
  notFound: [],
};

const nameOf = (marketId: bigint) => (marketId === 9n ? "New York City" : undefined);

const edit = (text: string, format: "yaml" | "json" = "yaml", difference = DIFFERENCE) =>
  editFeedList(text, format, difference, nameOf);

describe("YAML, a market a line", () => {
  test("lines come, go and change; everything else stays, byte for byte", () => {
    const before = [
      "# our relayer",
      'apiUrl:   "https://prices.example"   # the service',
      "markets: # what we carry",
      "  # the nation",
      "  - 1   # USA",
      "",
      "  # two is a state",
      "  - 2   # to go",
      '  - "3:sales"     # three',
      "  # the end of the list",
      "# the oracle",
      "oracleAddress: 0x5FbDB2315678afecb367f032d93F642f64180aa3",
      "",
    ];
    const after = [
      ...before.slice(0, 7),
      "  - 3     # three",
      "  - 9 # New York City",
      "  - 8:sales",
      ...before.slice(9),
    ];
    expect(edit(before.join("\n"))).toBe(after.join("\n"));
  });

  test.each([
    ["not indented", "markets:\n- 1\n- 2\nchainId: 1\n", "markets:\n- 1\n- 9 # New York City\n- 8:sales\nchainId: 1\n"],
    [
      "far indented",
      "markets:\n      -   1\n",
      "markets:\n      -   1\n      -   9 # New York City\n      -   8:sales\n",
    ],
    ["without a last line break", "markets:\n  - 1", "markets:\n  - 1\n  - 9 # New York City\n  - 8:sales\n"],
    ["the last one goes", "markets:\n  - 1\n  - 2", "markets:\n  - 1\n  - 9 # New York City\n  - 8:sales\n"],
    [
      "with Windows' line breaks",
      "a: 1\r\nmarkets:\r\n  - 1\r\n",
      "a: 1\r\nmarkets:\r\n  - 1\r\n  - 9 # New York City\r\n  - 8:sales\r\n",
    ],
  ])("%s", (_name, before, after) => {
    expect(edit(before)).toBe(after);
  });
});

describe("YAML in which there is no list yet", () => {
  const list = "markets:\n  - 9 # New York City\n  - 8:sales\n";
  test.each([
    ["nothing at all", "", list],
    ["a comment", "# to do\n", `# to do\n${list}`],
    ["other keys", "chainId: 1 # main\n", `chainId: 1 # main\n${list}`],
    ["other keys without a last line break", "chainId: 1", `chainId: 1\n${list}`],
    [
      "the key alone",
      "markets: # none yet\nchainId: 1\n",
      "markets: # none yet\n  - 9 # New York City\n  - 8:sales\nchainId: 1\n",
    ],
  ])("%s", (_name, before, after) => {
    expect(edit(before)).toBe(after);
  });
});

describe("YAML in brackets", () => {
  test.each([
    ["markets: [1, 2, 3:sales] # all\nchainId:   1\n", "markets: [1, 3, 9, 8:sales] # all\nchainId:   1\n"],
    ["markets: [ 1,\n  2 ]\n", "markets: [ 1, 9, 8:sales ]\n"],
    ["markets: []\n", "markets: [9, 8:sales]\n"],
  ])("%s", (before, after) => {
    expect(edit(before)).toBe(after);
  });

  test("with comments among them keeps the comments", () => {
    const edited = edit("markets: [1, # the nation\n  2]\noracleAddress: 0x5FbDB2315678afecb367f032d93F642f64180aa3\n");
    expect(edited).toContain("# the nation");
    expect(edited).toContain("0x5FbDB2315678afecb367f032d93F642f64180aa3");
    expect(parseYaml(edited ?? "").markets).toEqual([1, 9, "8:sales"]);
  });

  test("the whole file", () => {
    expect(parseYaml(edit("{chainId: 1, markets: [1, 2]}") ?? "")).toEqual({ chainId: 1, markets: [1, 9, "8:sales"] });
  });
});

describe("JSON", () => {
  test.each([
    [
      '{\n  "chainId": 1,\n  "kinds": ["sales"],\n  "markets": [1, 2]\n}\n',
      '{\n  "chainId": 1,\n  "kinds": ["sales"],\n  "markets": [\n    1,\n    9,\n    "8:sales"\n  ]\n}\n',
    ],
    [
      '{\n\t"markets": ["3:sales"],\n\t"kinds": ["sales"]\n}',
      '{\n\t"markets": [\n\t\t3,\n\t\t9,\n\t\t"8:sales"\n\t],\n\t"kinds": ["sales"]\n}',
    ],
    ['{ "kinds": ["sales"] }', '{ "kinds": ["sales"],\n  "markets": [\n    9,\n    "8:sales"\n  ]\n}'],
    ["{}\n", '{\n  "markets": [\n    9,\n    "8:sales"\n  ]\n}\n'],
    ["", '{\n  "markets": [\n    9,\n    "8:sales"\n  ]\n}\n'],
  ])("%s", (before, after) => {
    expect(edit(before, "json")).toBe(after);
  });
});

test("a market that is listed in two entries becomes what the difference says", () => {
  const difference = {
    ...DIFFERENCE,
    added: [],
    removed: [],
    changed: [change(["3:sales", "3:rental"], ["3:rental"])],
  };
  expect(edit("markets:\n  - 3:sales\n  - 1\n  - 3:rental\n", "yaml", difference)).toBe(
    "markets:\n  - 3:rental\n  - 1\n",
  );
});

test("a name that holds line breaks or keys of YAML stays a comment", () => {
  const difference = { ...DIFFERENCE, removed: [], changed: [] };
  const evil = "x\napiUrl: https://evil.example\u2028y";
  const edited = editFeedList("chainId: 1\n", "yaml", difference, () => evil) ?? "";
  expect(parseYaml(edited)).toEqual({ chainId: 1, markets: [9, "8:sales"] });
});

test("what cannot be read is not touched", () => {
  expect(edit("markets: [1\n")).toBeUndefined();
  expect(edit("{", "json")).toBeUndefined();
  expect(edit("[1]", "json")).toBeUndefined();
});

const anyStyle = fc.record({
  quote: fc.constantFrom("", '"', "'"),
  dash: fc.constantFrom("- ", "  - ", "    -   "),
  remark: fc.constantFrom("", " # remark", "   # - 5: [x"),
  between: fc.constantFrom("", "  # a line of its own\n", "\n"),
  behind: fc.constantFrom("", "other: 0x12 # kept\n", "# end\nother: [1,   2]\n"),
});

test("however a list is written, the edited one reads as it should, and the rest of the file is the same", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 6 }),
      anyStyle,
      (ids, style) => {
        const lines = ids.map(
          (id) => `${style.between}${style.dash}${style.quote}${id}${style.quote}${style.remark}\n`,
        );
        const text = `# head\nmarkets:\n${lines.join("")}${style.behind}`;
        const [goes, ...stay] = ids.map(String);
        const edited = edit(text, "yaml", {
          added: [change([], ["99"])],
          removed: [change([goes ?? ""], [])],
          changed: stay.slice(0, 1).map((entry) => change([entry], [`${entry}:sales`, `${entry}:rental`])),
          unchanged: [],
          notFound: [],
        });
        const [first, ...others] = stay;
        const expected = [...(first === undefined ? [] : [`${first}:sales`, `${first}:rental`]), ...others, "99"];
        expect(parseYaml(edited ?? "").markets.map(String)).toEqual(expected);
        expect(edited?.startsWith("# head\nmarkets:\n")).toBe(true);
        expect(edited?.endsWith(style.behind)).toBe(true);
      },
    ),
    { seed: 20_261_121, numRuns: 500 },
  );
});
