import { stringify as stringifyYaml } from "yaml";
import type { FoundLayout, ItemSetAside, NoLayoutFound } from "../message/discovery/layoutDiscovery.ts";
import type { Ed25519PublicKey } from "../message/ed25519.ts";
import type { MessageLayout } from "../message/messageLayout.ts";
import { EXIT_FAILED, print } from "./output.ts";

/** What the caller gave or asked for already, so that it need not be suggested. */
export type TriedOptions = { readonly domain?: readonly Uint8Array[]; readonly wide?: boolean };

/** The document of a layout that was found. */
export function foundDocument(found: FoundLayout, key: Ed25519PublicKey) {
  const { layout, alternatives, ambiguous, exact, tried, candidates, coverage, usedRawMessage } = found;
  return {
    ok: true,
    layout,
    alternatives,
    ambiguous,
    exact,
    tried,
    candidates,
    verified: found.verified.map(({ item, feedId, date }) => ({ item: item + 1, feedId: feedId.toString(), date })),
    setAside: describeSetAside(found.setAside),
    publicKey: key.hex,
    coverage,
    usedRawMessage,
  };
}

function describeSetAside(setAside: readonly ItemSetAside[]) {
  return setAside.map(({ item, marketId, reason }) => ({ item: item + 1, marketId: marketId.toString(), reason }));
}

/** Prints that there is no layout, and what was looked at; returns the exit code. */
export function reportNothing(outcome: NoLayoutFound, tried: TriedOptions, json: boolean): number {
  const { reason, candidates, coverage, usedRawMessage, setAside } = outcome;
  const error = { code: "LAYOUT_NOT_FOUND", message: `no layout found: ${reason}`, hint: hintOf(outcome, tried) };
  if (json) {
    const rest = { tried: outcome.tried, candidates, coverage, usedRawMessage, setAside: describeSetAside(setAside) };
    print(json, { ok: false, error, ...rest }, () => "");
  } else {
    process.stderr.write(`error: ${error.message}\n${error.hint}\n${formatCoverage(outcome)}`);
  }
  return EXIT_FAILED;
}

function hintOf({ usedRawMessage, tried }: NoLayoutFound, { domain, wide }: TriedOptions): string {
  if (usedRawMessage) {
    return "Check the public key and responseFields (is the message the one that was signed, are times in the unit that is configured?), and give items of several markets.";
  }
  if (tried === 0)
    return "Give items with price, publish time, expiry, date and signature; responseFields names the fields.";
  const steps = [
    "Check the public key and responseFields; leave out the item named if it may be at fault.",
    !domain && "If the message holds constant bytes, give them with --domain.",
    !wide && "--wide tries padding and further arrangements, which may take hours.",
  ];
  return steps.filter((step) => step !== false).join(" ");
}

/** The same for people: ready to paste, and the proof. */
export function formatFoundLayout(found: FoundLayout, key: Ed25519PublicKey, items: number): string {
  const { layout, alternatives, exact, tried, candidates, verified, setAside, usedRawMessage } = found;
  const how = usedRawMessage ? "found in the signed bytes" : "found by its signatures";
  const lines = [
    `Layout ${how}: ${verified.length} of ${count(items, "item")} verified under ${key.hex}.`,
    "",
    "# for homeprice.config.yaml",
    formatLayout(layout),
    "",
    "# or for the environment",
    `HOMEPRICE_LAYOUT='${JSON.stringify(layout)}'`,
    "",
    ...verified.map(({ item, feedId, date }) => `verified   item ${item + 1}, feed ${feedId}, ${date}`),
    ...setAside.map(({ item, marketId, reason }) => `set aside  item ${item + 1}, market ${marketId}: ${reason}`),
    `tried      ${tried.toLocaleString("en-US")} of ${count(candidates, "layout")}`,
  ];
  if (!exact) {
    lines.push(
      "",
      "Prices or times beside the messages are rounded. The relayer refuses such items (MessageMismatch), because it holds",
      "every field against the message.",
    );
  }
  if (alternatives.length > 0) {
    lines.push(
      "",
      `These items leave it open: ${count(alternatives.length, "other layout")} fit as well, and read other prices differently.`,
      "Give items of other markets and days as well. The others, less plausible:",
      ...alternatives.map((each) => `  ${JSON.stringify(each)}`),
    );
  } else if (verified.length === 1) {
    lines.push(
      "",
      "One item shows what is in its message, not what changes. Give items of other markets and days as well.",
    );
  }
  return lines.join("\n");
}

/** As in the configuration file, a line a field. */
function formatLayout(layout: MessageLayout): string {
  const lines = Object.entries(layout).map(
    ([name, value]) => `  ${name}: ${stringifyYaml(value, { collectionStyle: "flow", lineWidth: 0 }).trim()}`,
  );
  return ["layout:", ...lines].join("\n");
}

function formatCoverage({ tried, usedRawMessage, coverage: { covered, notCovered } }: NoLayoutFound): string {
  if (covered.length === 0) return "";
  return [
    "",
    usedRawMessage ? "Looked for in the signed bytes:" : `Tried ${count(tried, "layout")}:`,
    ...covered.map((line) => `  ${line}`),
    "Not covered:",
    ...notCovered.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

/** A number with its noun. */
export function count(number: number, noun: string): string {
  return `${number.toLocaleString("en-US")} ${noun}${number === 1 ? "" : "s"}`;
}
