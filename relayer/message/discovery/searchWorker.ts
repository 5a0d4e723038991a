import workerpool from "workerpool";
import { decodePublicKey } from "../ed25519.ts";
import { MESSAGE_LENGTH } from "../messageLayout.ts";
import { planSearch, type SearchPlan, type SearchQuery } from "./searchPlan.ts";
import { type Hit, searchRows } from "./searchRows.ts";
import { createSignatureSieve, type SignatureSieve } from "./signatureSieve.ts";

/** One search; the number tells it from the one that the worker prepared for before. */
export type SearchJob = {
  readonly number: number;
  readonly query: SearchQuery;
  readonly publicKey: Uint8Array;
  readonly signature: Uint8Array;
  readonly feedId: bigint;
};

let prepared: { readonly number: number; readonly plan: SearchPlan; readonly sieve: SignatureSieve } | undefined;

/** Tries some rows of a search in this thread, and prepares for it the first time. */
function searchRowsOf({ number, query, publicKey, signature, feedId }: SearchJob, from: number, to: number): Hit[] {
  if (prepared?.number !== number) {
    const plan = planSearch(query);
    const sieve = createSignatureSieve(decodePublicKey(publicKey), signature, MESSAGE_LENGTH, plan.signatureChecks);
    if (!sieve) return [];
    prepared = { number, plan, sieve };
  }
  return searchRows(prepared.plan, prepared.sieve, feedId, from, to);
}

workerpool.worker({ searchRowsOf });
