import type { Generated } from "kysely";
import type { FeedKind } from "../message/feedId.ts";
import type { AttemptState, DeliveryState, UpdateOutcome } from "./journal.ts";

/**
 * The tables, as both engines hold them: whole numbers are 8 bytes wide and always bigint here, wei is decimal text,
 * bytes are bytes, hashes are 0x-hex, and yes is 1.
 */
export type JournalTables = {
  readonly public_keys: PublicKeyTable;
  readonly prices: PriceTable;
  readonly editions: EditionTable;
  readonly refusals: RefusalTable;
  readonly targets: TargetTable;
  readonly attempts: AttemptTable;
  readonly attempt_transactions: AttemptTransactionTable;
  readonly attempt_updates: AttemptUpdateTable;
  readonly deliveries: DeliveryTable;
  readonly alerts: AlertTable;
  readonly credits: CreditTable;
};

/** Ed25519 keys; there are few, and every price names one. */
type PublicKeyTable = { id: Generated<bigint>; public_key: string };

type PriceTable = {
  id: Generated<bigint>;
  feed_id: bigint;
  day: bigint;
  price: bigint;
  publish_time_ms: bigint;
  expiry_ms: bigint;
  public_key_id: bigint;
  message_bytes: Uint8Array;
  signature: Uint8Array;
  /** 32 bytes, big-endian. */
  x_of_r: Uint8Array;
  received_at_ms: bigint;
};

type EditionTable = { kind: FeedKind; day: bigint; first_seen_ms: bigint; publish_time_ms: bigint };

type RefusalTable = {
  id: Generated<bigint>;
  /** What makes it the same item on the same day. */
  identity: Uint8Array;
  kind: FeedKind;
  market_id: bigint | null;
  feed_id: bigint | null;
  code: string;
  reason: string;
  message_bytes: Uint8Array | null;
  signature: Uint8Array | null;
  first_received_ms: bigint;
  last_received_ms: bigint;
  times: bigint;
};

type TargetTable = { id: Generated<bigint>; chain_id: bigint; oracle: string };

type AttemptTable = {
  id: Generated<bigint>;
  target_id: bigint;
  /** Of the target, again: a nonce belongs to a sender on a chain, whatever oracle it calls. */
  chain_id: bigint;
  sender: string;
  nonce: bigint;
  state: AttemptState;
  gas_limit: bigint;
  opened_at_ms: bigint;
  mined_hash: string | null;
  block_number: bigint | null;
  block_hash: string | null;
  succeeded: bigint | null;
  gas_used: bigint | null;
  effective_gas_price: string | null;
  mined_at_ms: bigint | null;
};

type AttemptTransactionTable = {
  attempt_id: bigint;
  position: bigint;
  hash: string;
  raw_transaction: Uint8Array;
  carries_updates: bigint;
  max_fee_per_gas: string;
  max_priority_fee_per_gas: string;
  host: string;
  signed_at_ms: bigint;
};

type AttemptUpdateTable = {
  attempt_id: bigint;
  position: bigint;
  target_id: bigint;
  feed_id: bigint;
  day: bigint;
  price_id: bigint;
  /** Whether no other attempt of the target may take up the price. */
  is_held: bigint;
  outcome: UpdateOutcome["outcome"] | null;
  reason: string | null;
};

export type DeliveryTable = {
  target_id: bigint;
  feed_id: bigint;
  day: bigint;
  price_id: bigint;
  state: DeliveryState;
  reason: string | null;
  attempt_id: bigint | null;
  planned_at_ms: bigint | null;
  sent_at_ms: bigint | null;
  mined_at_ms: bigint | null;
  final_at_ms: bigint | null;
  updated_at_ms: bigint;
};

type AlertTable = {
  key: string;
  kind: string;
  severity: "warning" | "critical";
  message: string;
  since_ms: bigint;
  told_at_ms: bigint | null;
};

type CreditTable = { month: string; used: number };
