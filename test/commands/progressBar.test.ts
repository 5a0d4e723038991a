import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { startProgress } from "../../relayer/command-line/progressBar.ts";

/** What is drawn, by a stream that is a terminal or not. */
function drawOn(isTTY: boolean): string {
  let drawn = "";
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      drawn += chunk.toString();
      done();
    },
  });
  const progress = startProgress("rows", Object.assign(stream, { isTTY }));
  progress.advance(500);
  progress.expect(2000);
  progress.advance(1500);
  progress.stop();
  return drawn;
}

test("a terminal is shown how far it has come", () => {
  const drawn = drawOn(true);
  expect(drawn).toMatch(/\[=+\] 2,000 of 2,000 rows/);
});

test("nothing else is shown anything", () => {
  expect(drawOn(false)).toBe("");
});
