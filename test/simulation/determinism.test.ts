import { expect, it } from "vitest";
import { simulateTasks } from "../../simulation/runner/simulateTasks.ts";

const TIMEOUT_MS = 300_000;

it("one seed is one run, byte for byte, and another seed is another", { timeout: TIMEOUT_MS }, async () => {
  const task = { seed: "0x5eed", days: 2 };
  const outcomes = await simulateTasks([task, task, { ...task, seed: "0x5eee" }], 2);
  const [first, second, other] = outcomes.map(({ result, error }) => {
    if (!result) throw new Error(error);
    const { realMs, ...rest } = result;
    expect(realMs).toBeGreaterThan(0);
    return rest;
  });
  expect(first?.events).toBeGreaterThan(500);
  expect(second).toEqual(first);
  expect(other?.digest).not.toBe(first?.digest);
});
