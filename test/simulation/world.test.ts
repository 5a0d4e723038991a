import { expect, it } from "vitest";
import { failuresOf, simulationReport } from "../../simulation/report/simulationReport.ts";
import { simulateTasks } from "../../simulation/runner/simulateTasks.ts";

const IS_LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";
/** Among all the other tests, a third of what `npm run simulate` runs by itself. */
const DAYS = IS_LONG ? 365 : 10;
const SEEDS = IS_LONG ? 20 : 3;
const WORKERS = 2;
const TIMEOUT_MS = IS_LONG ? 6 * 3_600_000 : 900_000;

it(`nothing happens that must not, in ${DAYS} days of ${SEEDS} seeds`, { timeout: TIMEOUT_MS }, async () => {
  const tasks = Array.from({ length: SEEDS }, (_, index) => ({ seed: `0x${(index + 1).toString(16)}`, days: DAYS }));
  const outcomes = await simulateTasks(tasks, WORKERS);
  process.stdout.write(`${simulationReport(outcomes)}\n`);
  expect(failuresOf(outcomes)).toBe(0);
});
