/**
 * A process that simulates one world and sends the result to its parent. A process of its own for each, so that no
 * library remembers anything of another run, and so that the relayer's code can be mutated before it is loaded.
 */
import { mutateModules } from "../mutations/mutateModules.ts";
import { mutationNamed } from "../mutations/mutations.ts";
import type { SimulationTask } from "./simulationTask.ts";

process.once("message", (task: SimulationTask) => {
  simulate(task).then(
    (result) => process.send?.({ result }, () => process.exit(0)),
    (error: unknown) => {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      process.send?.({ error: text }, () => process.exit(1));
    },
  );
});

async function simulate({ mutation, ...options }: SimulationTask) {
  const check = mutation === undefined ? undefined : mutateModules(mutationNamed(mutation));
  const { runWorld } = await import("../world/world.ts");
  const result = await runWorld(options);
  check?.();
  return result;
}
