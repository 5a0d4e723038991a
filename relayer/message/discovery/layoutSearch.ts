import { availableParallelism } from "node:os";
import { extname } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { pool as createPool, type Pool } from "workerpool";
import type { Ed25519PublicKey } from "../ed25519.ts";
import { MESSAGE_LENGTH } from "../messageLayout.ts";
import type { SearchPlan } from "./searchPlan.ts";
import { type Hit, searchRows } from "./searchRows.ts";
import type { SearchJob } from "./searchWorker.ts";
import { createSignatureSieve } from "./signatureSieve.ts";

/** Messages that are tried between two looks at progress and signal: some tens of milliseconds. */
const CHECKS_PER_STEP = 4_000;

/** Below this, starting threads takes longer than the search itself. */
const CHECKS_WORTH_THREADS = 50_000;

export type SearchOptions = {
  /** Threads; default one for each core. With 1, all happens in the caller's thread, in short steps. */
  readonly threads?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called now and then with the number of layouts tried. */
  readonly onProgress?: ((tried: number) => void) | undefined;
};

/** Whose signature is to be met, and the id that the signed message holds. */
export type SignedFeed = {
  readonly key: Ed25519PublicKey;
  readonly signature: Uint8Array;
  readonly feedId: bigint;
};

/**
 * Tries the layouts of a plan until `accept` takes a hit. It is the first in the order of the plan that is taken,
 * whichever thread finds one first, so the same search always ends the same way.
 *
 * @returns The hit that was accepted, or `undefined` when the plan ended before.
 * @throws The signal's reason.
 */
export async function searchLayouts(
  plan: SearchPlan,
  { key, signature, feedId }: SignedFeed,
  accept: (hit: Hit) => boolean,
  { threads = availableParallelism(), signal, onProgress }: SearchOptions = {},
): Promise<Hit | undefined> {
  signal?.throwIfAborted();
  const steps = stepsOf(plan);
  const searcher =
    threads > 1 && plan.signatureChecks > CHECKS_WORTH_THREADS
      ? threadSearcher({ plan, key, signature, feedId, threads })
      : ownSearcher({ plan, key, signature, feedId });
  if (!searcher) return undefined;

  let accepted: { readonly hit: Hit; readonly step: number } | undefined;
  let [begun, tried] = [0, 0];
  const runOne = async (): Promise<void> => {
    // Steps before the accepted hit's go on: there may be an earlier hit in them.
    while (!accepted || begun <= accepted.step) {
      const { value: range } = steps.next();
      if (!range) return;
      const step = begun++;
      const hits = await searcher.search(range.from, range.to);
      signal?.throwIfAborted();
      const hit = accepted && accepted.step < step ? undefined : hits.find(accept);
      if (hit) accepted = { hit, step };
      tried += range.candidates;
      onProgress?.(tried);
    }
  };
  const stop = () => void searcher.close();
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await Promise.all(Array.from({ length: searcher.concurrency }, runOne));
  } catch (error) {
    // Threads that were stopped fail with errors of their own.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
    await searcher.close();
  }
  return accepted?.hit;
}

type Searcher = {
  /** Calls of `search` that may be under way together. */
  readonly concurrency: number;
  readonly search: (from: number, to: number) => Promise<Hit[]>;
  readonly close: () => Promise<void>;
};

type Search = SignedFeed & { readonly plan: SearchPlan };

/** `undefined` when no message can ever have this signature. */
function ownSearcher({ plan, key, signature, feedId }: Search): Searcher | undefined {
  const sieve = createSignatureSieve(key, signature, MESSAGE_LENGTH, plan.signatureChecks);
  return (
    sieve && {
      concurrency: 1,
      async search(from, to) {
        await nextTurn();
        return searchRows(plan, sieve, feedId, from, to);
      },
      close: async () => undefined,
    }
  );
}

let lastJob = 0;

/** The same file name in a checkout (.ts) and where it has been compiled (.js). */
const WORKER = fileURLToPath(new URL(`./searchWorker${extname(import.meta.url)}`, import.meta.url));

function threadSearcher({ plan, key, signature, feedId, threads }: Search & { readonly threads: number }): Searcher {
  const job: SearchJob = {
    number: ++lastJob,
    query: plan.query,
    publicKey: key.bytes,
    signature: Uint8Array.from(signature),
    feedId,
  };
  const workers: Pool = createPool(WORKER, { workerType: "thread", maxWorkers: threads });
  let closing: Promise<void> | undefined;
  return {
    // Each thread finds the next step waiting when it has ended one.
    concurrency: 2 * threads,
    search: async (from, to) => (await workers.exec("searchRowsOf", [job, from, to])) as Hit[],
    async close() {
      closing ??= Promise.resolve(workers.terminate(true)).then(() => undefined);
      await closing;
    },
  };
}

type Step = { readonly from: number; readonly to: number; readonly candidates: number };

/** Ranges of rows of about equal work, in order. */
function* stepsOf({ sections, rows }: SearchPlan): Generator<Step, undefined> {
  let [from, checks, candidates] = [0, 0, 0];
  for (const section of sections) {
    let row = section.firstRow;
    const end = section.firstRow + section.rows;
    while (row < end) {
      const room = Math.max(1, Math.floor((CHECKS_PER_STEP - checks) / section.checksPerRow));
      const taken = Math.min(room, end - row);
      row += taken;
      checks += taken * section.checksPerRow;
      candidates += taken * section.candidatesPerRow;
      if (checks < CHECKS_PER_STEP && row < rows) continue;
      yield { from, to: row, candidates };
      [from, checks, candidates] = [row, 0, 0];
    }
  }
}
