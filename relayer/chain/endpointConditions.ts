import type { Condition } from "../watch/condition.ts";
import type { Agreement } from "./chainAccess.ts";
import { type Endpoint, isSetBack, TOLD_TIMES } from "./endpoint.ts";

/** By host, what it was asked when it answered otherwise than most. */
export type Disagreements = Map<string, { question: string; hosts: readonly string[]; atMs: number }>;

/** A contradiction that nobody has come back to is forgotten. Milliseconds. */
const FORGOTTEN_MS = 3_600_000;

/** Remembers who contradicted most of the others; one that agrees on the same question is forgiven. */
export function recordDisagreements(
  disagreements: Disagreements,
  question: string,
  { hosts, otherHosts }: Agreement<unknown>,
  atMs: number,
): boolean {
  for (const [host, { atMs: since }] of disagreements) {
    if (atMs - since > FORGOTTEN_MS) disagreements.delete(host);
  }
  for (const host of hosts) {
    if (disagreements.get(host)?.question === question) disagreements.delete(host);
  }
  for (const host of otherHosts) disagreements.set(host, { question, hosts, atMs });
  return otherHosts.length > 0;
}

/** What a person should know of a chain's endpoints. */
export function toConditions({
  endpoints,
  wasUnreachable,
  nowMs,
  disagreements,
}: {
  endpoints: readonly Endpoint[];
  wasUnreachable: boolean;
  nowMs: number;
  disagreements: Disagreements;
}): Condition[] {
  const conditions: Condition[] = [];
  if (wasUnreachable) {
    conditions.push({
      kind: "chain-unreachable",
      subject: "",
      severity: "critical",
      message: `no RPC endpoint can be used: ${endpoints.map(({ host, reason }) => `${host}: ${reason}`).join("; ")}`,
      hint: "Check the nodes and the access to them; nothing is brought to this chain until one answers.",
    });
  }
  for (const endpoint of endpoints) {
    const { host, state, reason, setBack } = endpoint;
    const isTold = isSetBack(endpoint, nowMs) && (setBack?.times ?? 0) >= TOLD_TIMES;
    if (state === undefined || (state === "usable" && !isTold)) continue;
    conditions.push({
      kind: "endpoint-failing",
      subject: host,
      severity: "warning",
      message: `${host}: ${state === "usable" ? setBack?.reason : reason}`,
      hint:
        state === "wrong-chain"
          ? "Correct rpcUrl (HOMEPRICE_RPC_URL) or chainId (HOMEPRICE_CHAIN_ID)."
          : "Others are used meanwhile; if it lasts, check this node, or the access to it.",
    });
  }
  for (const [host, { question, hosts }] of disagreements) {
    conditions.push({
      kind: "endpoints-disagree",
      subject: host,
      severity: "warning",
      message: `${host} answers otherwise than ${hosts.join(", ")}: ${question}`,
      hint: "One of them is wrong or behind; if it lasts, take that one out of rpcUrl (HOMEPRICE_RPC_URL).",
    });
  }
  return conditions;
}
