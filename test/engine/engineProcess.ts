import { pino } from "pino";
import { createPostgresEngine } from "../../relayer/engine/postgresEngine.ts";

/**
 * One of several relayer processes that share the work, with jobs that only take their time and say so: one JSON line
 * on standard output for each thing that happens.
 *
 * Usage: node engineProcess.ts POSTGRES_URL MILLISECONDS_A_DELIVERY CHAIN…
 */
const [connectionString = "", jobMs = "1000", ...chainNames] = process.argv.slice(2);

function say(event: string, what: Record<string, unknown> = {}): void {
  process.stdout.write(`${JSON.stringify({ pid: process.pid, event, atMs: Date.now(), ...what })}\n`);
}

const engine = createPostgresEngine({
  connectionString,
  // Never while the test runs.
  schedule: { expression: "0 0 29 2 *", timeZone: "America/New_York" },
  chainNames,
  nowMs: () => BigInt(Date.now()),
  log: pino({ level: "error", base: null }, pino.destination(2)),
});

async function work(signal: AbortSignal): Promise<void> {
  const untilMs = Date.now() + Number(jobMs);
  while (Date.now() < untilMs && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, 50));
}

await engine.start({
  collect: async ({ reason, attempt }) => {
    say("collect", { reason, attempt });
    return { hasNewPrices: false, againAtMs: undefined };
  },
  deliver: async (chain, signal) => {
    say("begun", { chain });
    await work(signal);
    say("ended", { chain, aborted: signal.aborted });
    return { againAtMs: BigInt(Date.now() + 500) };
  },
  report: ({ job, error }) => say("trouble", { job, error: error === undefined ? null : String(error) }),
});
say("started");
process.once("SIGTERM", () => {
  void engine.stop().then(() => {
    say("stopped");
    process.exit(0);
  });
});
