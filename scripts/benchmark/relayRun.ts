import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { z } from "zod";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { CARRIED_FORWARD_DATE, writePriceFiles } from "./relayPriceFiles.ts";
import { type EndedProcess, runHomeprice, startHomeprice, startReady } from "./relayProcess.ts";

/** What one run of `homeprice relay --once` took. */
export type MeasuredRun = {
  readonly feeds: number;
  readonly transactions: number;
  readonly gasUsed: bigint;
  /** From the start of the process to its end. */
  readonly wallMs: number;
  readonly stagesMs: StagesMs;
  readonly peakMemoryBytes: number;
};

/** A run that brings prices which the chain does not have, and one that finds nothing to do. */
export type MeasuredRuns = { readonly first: MeasuredRun; readonly second: MeasuredRun };

const reportSchema = z.object({
  ok: z.literal(true),
  feeds: z.array(z.object({ status: z.enum(["updated", "current"]) })),
  transactions: z.array(z.object({ gasUsed: z.string() })),
  durationsMs: z.object({
    fetch: z.number(),
    verify: z.number(),
    plan: z.number(),
    send: z.number(),
    confirm: z.number(),
  }),
});

export type StagesMs = z.output<typeof reportSchema>["durationsMs"];

const API_KEY = "sim_benchmark_key";
/** As a URL, whose blanks are no blanks. */
const PEAK_MEMORY = pathToFileURL(packageFile("scripts", "benchmark", "relayPeakMemory.ts")).href;

/**
 * Brings both kinds of some markets to a chain with `homeprice relay --once`, twice: chain, price service and relayer are
 * processes of their own, as they are for an operator.
 * @throws Error with the run's own output when it does not end with 0.
 */
export async function measureRelay(markets: number, log: (text: string) => void): Promise<MeasuredRuns> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-bench-"));
  const running: { stop: () => Promise<void> }[] = [];
  try {
    const { marketIds, paths } = await writePriceFiles(folder, { markets, dates: [CARRIED_FORWARD_DATE] });
    const chain = await startReady([packageFile("scripts", "benchmark", "relayChainProcess.ts")]);
    running.push(chain);
    const simulator = await startHomeprice(
      ["simulator", "--port", "0", "--json", ...paths.flatMap((path) => ["--prices", path])],
      { HOMEPRICE_SIMULATOR_API_KEY: API_KEY },
    );
    running.push(simulator);
    const environment = {
      HOMEPRICE_API_URL: String(simulator.document["url"]),
      HOMEPRICE_API_KEY: API_KEY,
      HOMEPRICE_SIGNER_PUBLIC_KEY: String(simulator.document["publicKey"]),
      HOMEPRICE_RPC_URL: String(chain.document["rpcUrl"]),
      HOMEPRICE_MARKETS: marketIds.join(","),
      HOMEPRICE_STORE: join(folder, "journal.sqlite"),
      HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployments"),
      HOMEPRICE_RECEIPT_TIMEOUT_SECONDS: "1800",
      HOMEPRICE_REQUEST_TIMEOUT_SECONDS: "120",
    };
    const deployed = await runHomeprice(["deploy", "--json"], {
      ...environment,
      HOMEPRICE_PRIVATE_KEY: LOCAL_OWNER_KEY,
    });
    if (deployed.exitCode !== 0) throw failed("deploy", deployed);
    const relay = { ...environment, HOMEPRICE_PRIVATE_KEY: LOCAL_RELAYER_KEY };
    log(`${markets} markets: the first run`);
    const first = await measureRun(relay, folder);
    log(`${markets} markets: a run that finds nothing to do`);
    const second = await measureRun(relay, folder);
    return { first, second };
  } finally {
    for (const { stop } of running.reverse()) await stop();
    await rm(folder, { recursive: true, force: true });
  }
}

async function measureRun(environment: Readonly<Record<string, string>>, folder: string): Promise<MeasuredRun> {
  const peakMemoryFile = join(folder, "peak-memory");
  const startedMs = performance.now();
  const run = await runHomeprice(["relay", "--once", "--json"], {
    ...environment,
    NODE_OPTIONS: `${process.env["NODE_OPTIONS"] ?? ""} --import=${PEAK_MEMORY}`,
    PEAK_MEMORY_FILE: peakMemoryFile,
  });
  const wallMs = performance.now() - startedMs;
  if (run.exitCode !== 0) throw failed("relay --once", run);
  const { feeds, transactions, durationsMs } = reportSchema.parse(JSON.parse(run.stdout));
  return {
    feeds: feeds.length,
    transactions: transactions.length,
    gasUsed: transactions.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n),
    wallMs,
    stagesMs: durationsMs,
    peakMemoryBytes: Number(await readFile(peakMemoryFile, "utf8")),
  };
}

function failed(what: string, { exitCode, stdout, stderr }: EndedProcess): Error {
  return new Error(`${what} ended with ${exitCode}:\n${stdout.slice(0, 2_000)}\n${stderr.slice(-2_000)}`);
}
