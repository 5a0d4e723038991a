import { expect, test } from "vitest";
import { folderWith, runIn } from "./commandInFolder.ts";

// Nothing listens there: whoever asked anybody would fail.
const NOBODY = {
  HOMEPRICE_API_URL: "http://127.0.0.1:9",
  HOMEPRICE_API_KEY: "any-key",
  HOMEPRICE_RPC_URL: "http://127.0.0.1:9",
};

test.each([
  [["relay", "--estimate"], "5826765,5503877:sales", 3],
  [["doctor", "--estimate"], "5826765,5503877:sales", 2],
  [["doctor", "--estimate"], "5503877:sales", 1],
  [["doctor", "--all-markets", "--estimate"], "5826765,5503877:sales", 3],
  [["message", "discover-layout", "--estimate"], "5826765,5503877:sales", 3],
])("%j with the markets %s may cost %i credits, and asks nobody to find out", async (words, markets, estimated) => {
  const run = await runIn(await folderWith(), [...words, "--json"], { ...NOBODY, HOMEPRICE_MARKETS: markets });
  expect(run.exitCode).toBe(0);
  expect(run.document()).toEqual({ ok: true, credits: { estimated } });
});
