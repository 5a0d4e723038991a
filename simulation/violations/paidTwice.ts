import type { AuditedTransaction } from "./chainAudit.ts";

/**
 * The same update was paid for twice on one chain: two final transactions of the relayer's carry it. A replacement with
 * the same nonce is not twice, because only one of them is ever mined; what somebody else brings is not ours.
 */
export class PaidTwice {
  readonly #carriedBy = new Map<string, { readonly hash: string; readonly blockTimeMs: number }>();

  find(ours: readonly AuditedTransaction[]): string[] {
    return ours.flatMap(({ hash, nonce, updates, blockTimeMs }) =>
      updates.flatMap((update) => {
        const before = this.#carriedBy.get(update);
        this.#carriedBy.set(update, { hash, blockTimeMs });
        return before
          ? [`${update} (feed/publish time/price) is in ${before.hash} and again in ${hash} (nonce ${nonce})`]
          : [];
      }),
    );
  }

  forgetBefore(timeMs: number): void {
    for (const [update, { blockTimeMs }] of this.#carriedBy) if (blockTimeMs < timeMs) this.#carriedBy.delete(update);
  }
}
