import { getAddress } from "viem";
import type { Journal } from "./journal.ts";
import type { JournalSession } from "./journalSession.ts";

/** The part of the journal that adds up what was spent. Wei need more digits than a database's numbers have. */
export function createSpending({ read }: JournalSession): Pick<Journal, "spending"> {
  return {
    spending: (chainId, sender, sinceMs) =>
      read(async (transaction) => {
        const mined = await transaction
          .selectFrom("attempts")
          .select(["gas_used", "effective_gas_price", "mined_at_ms"])
          .where("chain_id", "=", BigInt(chainId))
          .where("sender", "=", getAddress(sender))
          .where("mined_at_ms", ">=", sinceMs)
          .orderBy("mined_at_ms")
          .execute();
        const sent = await transaction
          .selectFrom("attempts")
          .innerJoin("attempt_transactions", "attempt_transactions.attempt_id", "attempts.id")
          .select(["attempts.id", "attempts.gas_limit", "attempt_transactions.max_fee_per_gas"])
          .where("attempts.chain_id", "=", BigInt(chainId))
          .where("attempts.sender", "=", getAddress(sender))
          .where("attempts.state", "=", "sent")
          .execute();
        const reserved = new Map<bigint, bigint>();
        for (const { id, gas_limit, max_fee_per_gas } of sent) {
          const most = gas_limit * BigInt(max_fee_per_gas);
          if (most > (reserved.get(id) ?? 0n)) reserved.set(id, most);
        }
        return {
          spentWei: sum(
            mined.map(({ gas_used, effective_gas_price }) => (gas_used ?? 0n) * BigInt(effective_gas_price ?? 0)),
          ),
          reservedWei: sum([...reserved.values()]),
          firstSpentAtMs: mined[0]?.mined_at_ms ?? undefined,
        };
      }),
  };
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n);
}
