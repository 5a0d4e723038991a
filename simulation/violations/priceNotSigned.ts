import type { AuditedTransaction } from "./chainAudit.ts";

/** A price stands on a chain that the service has not signed. */
export function findPricesNotSigned(
  transactions: readonly AuditedTransaction[],
  isSigned: (identity: string) => boolean,
): string[] {
  return transactions.flatMap(({ hash, taken }) =>
    taken
      .filter((identity) => !isSigned(identity))
      .map(
        (identity) =>
          `the oracle took ${identity} (feed/publish time/price) from ${hash}, which the service never signed`,
      ),
  );
}
