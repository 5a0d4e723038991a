import type { RelayReport } from "../relay/report.ts";
import { formatTable } from "./output.ts";

/** A run's report for people: what is not in order first, then the totals. */
export function formatReport({ feeds, transactions, ok }: RelayReport): string {
  const troubled = feeds.filter(({ status }) => status !== "current" && status !== "updated");
  const shown = troubled.length > 0 ? troubled : feeds.slice(0, 40);
  const rows = shown.map(({ marketId, kind, status, price, date, reason }) => [
    marketId,
    kind,
    status,
    price ?? "",
    date ?? "",
    reason ?? "",
  ]);
  const counts = Map.groupBy(feeds, ({ status }) => status);
  const totals = [...counts].map(([status, group]) => `${group.length} ${status}`).join(", ");
  const gasUsed = transactions.reduce((sum, transaction) => sum + BigInt(transaction.gasUsed ?? 0), 0n);
  return [
    formatTable(["market", "kind", "status", "price", "date", "reason"], rows),
    ...(shown.length < feeds.length && troubled.length === 0 ? [`… and ${feeds.length - shown.length} more`] : []),
    `${feeds.length} feeds: ${totals}; ${transactions.length} transactions, ${gasUsed} gas`,
    ok ? "Every wanted feed is on-chain and current." : "Not every wanted feed is on-chain and current.",
  ].join("\n");
}
