import type { Insertable, Selectable } from "kysely";
import { type Hex, numberToHex } from "viem";
import type { SignedPrice } from "../message/signedPrice.ts";
import { toBuffer, toHex } from "./hexBytes.ts";
import type { ArchivedPrice } from "./journal.ts";
import type { JournalTables } from "./tables.ts";

type PriceRow = Selectable<JournalTables["prices"]> & { public_key: string };

/** A signed price as it is kept. */
export function toPriceRow(
  { feedId, message, messageBytes, signature, xOfR }: SignedPrice,
  publicKeyId: bigint,
  receivedAtMs: bigint,
): Insertable<JournalTables["prices"]> {
  return {
    feed_id: feedId,
    day: BigInt(message.day),
    price: message.price,
    publish_time_ms: message.publishTimeMs,
    expiry_ms: message.expiryMs,
    public_key_id: publicKeyId,
    message_bytes: Buffer.from(messageBytes),
    signature: Buffer.from(signature),
    x_of_r: toBuffer(numberToHex(xOfR, { size: 32 })),
    received_at_ms: receivedAtMs,
  };
}

export function toArchivedPrice(row: PriceRow): ArchivedPrice {
  return {
    id: row.id,
    feedId: row.feed_id,
    day: Number(row.day),
    price: row.price,
    publishTimeMs: row.publish_time_ms,
    expiryMs: row.expiry_ms,
    publicKey: row.public_key as Hex,
    messageBytes: plainBytes(row.message_bytes),
    signature: plainBytes(row.signature),
    xOfR: BigInt(toHex(row.x_of_r)),
    receivedAtMs: row.received_at_ms,
  };
}

/** The drivers give Buffers, whose methods differ from those of a Uint8Array (`slice`, `toString`). */
export function plainBytes(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
