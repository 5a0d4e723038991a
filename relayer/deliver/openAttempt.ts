import type { ChainConnection } from "../chain/chainConnection.ts";
import type { Fees } from "../chain/fees.ts";
import type { UpdateToSend } from "../chain/prepareBatch.ts";
import { readNonce } from "../chain/readNonce.ts";
import { AttemptConflictError } from "../journal/attemptConflictError.ts";
import type { Attempt } from "../journal/journal.ts";
import { type ChainContext, targetOf } from "./chainContext.ts";
import { callOf, signAttempt } from "./signAttempt.ts";

/** Updates for one transaction, and the gas that it may use. */
type Batch = { readonly send: readonly UpdateToSend[]; readonly gasLimit: bigint };

/**
 * Signs a transaction with the sender's next nonce and writes it down. Nothing leaves yet.
 *
 * The next nonce is the one behind those in the journal, also while the chain does not know of them yet; the chain's own
 * where that is higher, because somebody else has sent with the key.
 *
 * @returns The attempt; `undefined` when another process was faster with this nonce, or with one of these prices.
 */
export async function openAttempt(
  context: ChainContext,
  connection: ChainConnection,
  { send, gasLimit }: Batch,
  fees: Fees,
): Promise<Attempt | undefined> {
  const { journal, access, signer } = context;
  if (!signer) throw new RangeError("there is no signer");
  const target = targetOf(context);
  const used = await journal.highestNonce(target.chainId, signer.address);
  const { latest } = await readNonce(access, signer.address);
  const nonce = used === undefined || latest > used ? latest : used + 1;
  const data = callOf(send.map(({ bytes }) => bytes));
  const transaction = await signAttempt(context, connection, nonce, { data, gasLimit }, fees);
  const updates = send.map(({ feedId, day, priceId }) => ({ feedId, day, priceId }));
  try {
    return await journal.openAttempt({ target, sender: signer.address, nonce, gasLimit, updates, transaction });
  } catch (error) {
    if (error instanceof AttemptConflictError) return undefined;
    throw error;
  }
}
