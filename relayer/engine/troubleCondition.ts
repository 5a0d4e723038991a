import { describeRpcError } from "../chain/rpcError.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { Condition, ConditionKind } from "../watch/condition.ts";
import type { EngineTrouble } from "./engine.ts";

/** What an error that ended a job means for people. */
const KIND_OF_CODE: Readonly<Record<string, ConditionKind>> = {
  RPC_UNREACHABLE: "chain-unreachable",
  WRONG_CHAIN: "chain-unreachable",
  SIGNER_NOT_ACCEPTED: "signer-not-accepted",
  LAYOUT_DIFFERS_FROM_ORACLE: "signer-not-accepted",
};

/** The condition that an error of a job, or of what hands out the jobs, is. */
export function troubleCondition(trouble: EngineTrouble, error: unknown): Condition {
  const subject = trouble.job === "deliver" ? trouble.chainName : trouble.job === "collect" ? "collecting" : "";
  const { code = "", hint } = error instanceof HomePriceError ? error : {};
  const isJournal = trouble.job === "engine" || code.startsWith("JOURNAL_");
  const kind = isJournal ? "journal-failing" : (KIND_OF_CODE[code] ?? "run-failed");
  const what =
    trouble.job === "deliver"
      ? `delivering to ${trouble.chainName} fails`
      : trouble.job === "collect"
        ? "collecting prices fails"
        : "the job queue in PostgreSQL fails";
  return {
    kind,
    subject,
    severity: "critical",
    message: `${what}: ${describeRpcError(error)}`,
    hint: `${hint ?? (isJournal ? "Check the database behind store (HOMEPRICE_STORE)." : "The log says more; homeprice doctor looks at every part.")} The relayer goes on trying by itself.`,
  };
}
