import { valueAt } from "./latestResponseFields.ts";

/**
 * What an error answer says in words: `detail` as text, the first entry of the framework's list in `detail` (`msg`, with
 * the place it speaks of), `error`, or `message`. Pages for browsers say nothing worth repeating.
 */
export function readServiceWords(body: string): string {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    return looksLikeHtml(body) ? "" : body;
  }
  const said = [detailOf(valueAt(answer, "detail")), valueAt(answer, "error"), valueAt(answer, "message")];
  return said.filter((words) => typeof words === "string" && words.trim() !== "").join("; ");
}

/** A 404 page of a web server or proxy is not the service's "nothing found". */
export function looksLikeHtml(body: string): boolean {
  return /^\s*</.test(body);
}

function detailOf(detail: unknown): unknown {
  if (!Array.isArray(detail)) return detail;
  const place = valueAt(detail[0], "loc");
  const words = valueAt(detail[0], "msg");
  if (typeof words !== "string") return undefined;
  const others = detail.length > 1 ? ` (and ${detail.length - 1} more)` : "";
  return Array.isArray(place) && place.length > 0 ? `${place.join(".")}: ${words}${others}` : `${words}${others}`;
}
