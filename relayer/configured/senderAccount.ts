import type { Hex, LocalAccount } from "viem";
import { toAccount } from "viem/accounts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { TransactionSigner, UnsignedTransaction } from "../keys/transactionSigner.ts";
import { signerOf } from "./configuredSigner.ts";

/**
 * The account that sends to a chain, in the form that viem's clients take.
 * @throws InvalidConfigurationError when there is no key, or it is not one.
 */
export async function senderAccount(chain: ChainConfiguration): Promise<LocalAccount> {
  return accountOf(await signerOf(chain));
}

/** A signer as an account; it signs transactions with EIP-1559 fees, and nothing else. */
function accountOf(signer: TransactionSigner): LocalAccount {
  const { address } = signer;
  return toAccount({
    address,
    signTransaction: async (transaction): Promise<Hex> => {
      const { chainId, to, data = "0x", value = 0n, nonce, gas, maxFeePerGas, maxPriorityFeePerGas } = transaction;
      const isComplete = [chainId, nonce, gas, maxFeePerGas, maxPriorityFeePerGas].every((part) => part !== undefined);
      if (!isComplete || !to) {
        throw new HomePriceError("UNSUITED_TRANSACTION", `${address} signs only transactions with EIP-1559 fees`, {
          hint: "Use a node of a chain that has EIP-1559 fees.",
        });
      }
      const fields = { chainId, to, data, value, nonce, gas, maxFeePerGas, maxPriorityFeePerGas };
      return signer.signTransaction({ type: "eip1559", ...fields } as UnsignedTransaction);
    },
    signMessage: () => Promise.reject(signsOnlyTransactions(address)),
    signTypedData: () => Promise.reject(signsOnlyTransactions(address)),
  });
}

function signsOnlyTransactions(address: string): HomePriceError {
  return new HomePriceError("UNSUITED_SIGNATURE", `${address} signs transactions, and nothing else`, {
    hint: "This is a fault of the program. Please report it with the command that you ran.",
  });
}
