/** Alerts as people have been told of them, over the webhook. */
export class ToldAlerts {
  readonly #standing = new Map<string, { readonly scope: string; readonly kind: string; readonly severity: string }>();
  told = 0;

  /** A message of the webhook. */
  receive(body: string): void {
    const { status, alerts } = JSON.parse(body) as {
      status: "firing" | "resolved";
      alerts: { scope: string; kind: string; subject: string; severity: string }[];
    };
    for (const { scope, kind, subject, severity } of alerts) {
      const key = `${scope}/${kind}/${subject}`;
      if (status === "firing") this.#standing.set(key, { scope, kind, severity });
      else this.#standing.delete(key);
      this.told += 1;
    }
  }

  hasCritical(scopes: readonly string[]): boolean {
    return [...this.#standing.values()].some(
      ({ scope, severity }) => severity === "critical" && (scopes.includes(scope) || scope.startsWith("self")),
    );
  }
}

/** How long a chain may serve no price of a wanted feed before people must know. */
export const SILENCE_MS = 60 * 60_000;

/**
 * A dead state without an alert: a chain has served no price of a wanted feed for an hour, a relayer was up all that
 * time, and nobody was told of anything critical. That no relayer runs at all its missing heartbeat says.
 */
export function findDeadWithoutAlert(
  {
    chain,
    feedId,
    deadSinceMs,
    upSinceMs,
  }: { chain: string; feedId: bigint; deadSinceMs: number; upSinceMs: number | undefined },
  alerts: ToldAlerts,
  nowMs: number,
): string[] {
  if (upSinceMs === undefined || nowMs - Math.max(deadSinceMs, upSinceMs) < SILENCE_MS) return [];
  if (alerts.hasCritical([`chain:${chain}`, "service"])) return [];
  return [
    `${chain} has served no price of feed ${feedId} since ${new Date(deadSinceMs).toISOString()}, and nobody has been told of anything critical`,
  ];
}
