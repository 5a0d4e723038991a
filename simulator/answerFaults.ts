import type { Answer } from "./answer.ts";
import type { RequestFaults } from "./faultsInForce.ts";

const JSON_TYPE = "application/json";
const HTML_TYPE = "text/html; charset=utf-8";

/** The answer with whatever spoils it on its way out. */
export function spoilAnswer(answer: Answer, faults: RequestFaults): Answer {
  if (faults.has("not-json")) {
    return { status: 200, contentType: HTML_TYPE, text: "<!doctype html><title>Please wait</title>" };
  }
  let spoilt = answer;
  if (spoilt.contentType === JSON_TYPE && faults.has("broken-json")) {
    // The last character is the brace that closes the answer.
    spoilt = { ...spoilt, text: `${spoilt.text.slice(0, -1)},}` };
  }
  if (faults.has("wrong-content-type")) spoilt = { ...spoilt, contentType: HTML_TYPE };
  if (faults.has("truncated")) spoilt = { ...spoilt, text: spoilt.text.slice(0, spoilt.text.length / 2) };
  if (faults.has("cut-off")) spoilt = { ...spoilt, isCutOff: true };
  return spoilt;
}
