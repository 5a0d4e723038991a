import { LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import { readNonce } from "../chain/readNonce.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { ChainContext } from "./chainContext.ts";

/** A chain does not have transactions of ours that were final on it. */
export class TransactionsLostError extends HomePriceError {
  constructor(chainId: number, count: number, nonce: number) {
    super(
      "TRANSACTIONS_LOST",
      `chain ${chainId} has ${count} transactions of the sender, but the journal has one with nonce ${nonce} that was final`,
      {
        hint: "Check that the RPC endpoints are of this chain and in step; give another journal with store (HOMEPRICE_STORE) if the chain was begun anew.",
      },
    );
  }
}

/**
 * Notices a chain that does not have what was final on it. A local chain that was started anew is one that the journal
 * knows nothing of; of any other, nothing may be sent: whatever we send could be on the real chain already.
 * @throws TransactionsLostError
 */
export async function forgetChainBegunAnew({ journal, access, signer, log }: ChainContext): Promise<void> {
  if (!signer) return;
  const chainId = access.chain.id;
  const [firstOpen] = await journal.openAttempts(chainId, signer.address);
  const highest = await journal.highestNonce(chainId, signer.address);
  const lastFinal = firstOpen ? firstOpen.nonce - 1 : highest;
  if (lastFinal === undefined || lastFinal < 0) return;
  const { latest } = await readNonce(access, signer.address);
  if (latest > lastFinal) return;
  if (chainId !== LOCAL_CHAIN_ID) throw new TransactionsLostError(chainId, latest, lastFinal);
  log.warn({ chainId }, "the local chain has begun anew; what the journal knows of it is forgotten");
  await journal.forgetChain(chainId);
}
