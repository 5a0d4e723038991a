import { keccak256, numberToHex, toHex } from "viem";
import type {
  ArchivedPrice,
  Attempt,
  AttemptTransaction,
  Journal,
  MinedAttempt,
  NewAttempt,
  Target,
} from "../../relayer/journal/journal.ts";
import { startOfDayMs } from "../../relayer/message/calendarDate.ts";
import { feedOf } from "../../relayer/message/feedId.ts";
import type { SignedPrice } from "../../relayer/message/signedPrice.ts";
import { PUBLIC_KEY } from "../message/signedPrices.ts";

export const TARGET: Target = { chainId: 1, oracle: "0x5FbDB2315678afecb367f032d93F642f64180aa3" };
export const OTHER_TARGET: Target = { chainId: 10, oracle: "0xe7f1725E7734CE288F8367e1Bb143E90bb3F0512" };
export const SENDER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** A Wednesday. */
export const DAY = 20_516;
export const NOON_MS = startOfDayMs(DAY) + 43_200_000n;

export type PriceFields = { feedId?: bigint; day?: number; price?: bigint; publishTimeMs?: bigint; expiryMs?: bigint };

/** A price as the checks let it through; the journal does not look at signatures. */
export function checkedPrice({
  feedId = 5_826_765n,
  day = DAY,
  price = 21_694_000_000n,
  publishTimeMs = startOfDayMs(day) + 43_200_000n,
  expiryMs = publishTimeMs + 90_000_000n,
}: PriceFields = {}): SignedPrice {
  const feed = feedOf(feedId);
  if (!feed) throw new RangeError(`no feed ${feedId}`);
  const seed = `${feedId} ${day} ${price} ${publishTimeMs} ${expiryMs}`;
  return {
    ...feed,
    feedId,
    messageBytes: bytesOf(`message ${seed}`, 74),
    signature: bytesOf(`signature ${seed}`, 64),
    xOfR: 2n ** 255n - 20n - publishTimeMs,
    message: {
      feedId,
      priceMantissa: price,
      priceExponent: -8,
      price,
      publishTimeMs,
      expiryMs,
      day,
      date: new Date(day * 86_400_000).toISOString().slice(0, 10),
    },
    publicKey: PUBLIC_KEY,
  };
}

/** Archives a price and returns it as it is archived. */
export async function archive(journal: Journal, fields: PriceFields = {}, atMs = NOON_MS): Promise<ArchivedPrice> {
  const price = checkedPrice(fields);
  await journal.recordReceived([price], atMs);
  const found = (await journal.pricesOn(price.message.day)).find(
    (each) =>
      each.feedId === price.feedId &&
      each.publishTimeMs === price.message.publishTimeMs &&
      each.price === price.message.price,
  );
  if (!found) throw new Error("a price that was recorded is not there");
  return found;
}

export function transactionOf(number: number, changes: Partial<AttemptTransaction> = {}): AttemptTransaction {
  return {
    hash: numberToHex(number, { size: 32 }),
    rawTransaction: toHex(`transaction ${number}`),
    carriesUpdates: true,
    maxFeePerGas: 3_000_000_000n,
    maxPriorityFeePerGas: 1_000_000n,
    host: "https://rpc.example",
    signedAtMs: NOON_MS + 1_000n,
    ...changes,
  };
}

/** An attempt at bringing prices, which nobody has written down yet. */
export function newAttempt(
  prices: readonly Pick<ArchivedPrice, "id" | "feedId" | "day">[],
  { nonce = 0, transaction, ...changes }: Partial<NewAttempt> = {},
): NewAttempt {
  return {
    target: TARGET,
    sender: SENDER,
    nonce,
    gasLimit: 1_000_000n,
    updates: prices.map(({ id, feedId, day }) => ({ priceId: id, feedId, day })),
    transaction: transaction ?? transactionOf(1_000 + nonce),
    ...changes,
  };
}

export function minedIn(attempt: Attempt, changes: Partial<MinedAttempt> = {}): MinedAttempt {
  const hash = attempt.transactions.at(-1)?.hash;
  if (!hash) throw new Error("an attempt without a transaction");
  return {
    hash,
    blockNumber: 100n,
    blockHash: numberToHex(100, { size: 32 }),
    succeeded: true,
    gasUsed: 500_000n,
    effectiveGasPrice: 2_000_000_000n,
    minedAtMs: NOON_MS + 13_000n,
    ...changes,
  };
}

function bytesOf(seed: string, length: number): Uint8Array {
  let hex = "";
  for (let part = 0; hex.length < 2 * length; part += 1) hex += keccak256(toHex(`${seed} ${part}`)).slice(2);
  return Uint8Array.from(Buffer.from(hex.slice(0, 2 * length), "hex"));
}
