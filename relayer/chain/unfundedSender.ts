import { type Address, BaseError, InsufficientFundsError } from "viem";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { describeRpcError } from "./rpcError.ts";

/** The sender cannot pay. */
export class UnfundedSenderError extends HomePriceError {
  constructor(sender: Address, balance: bigint) {
    super("SENDER_UNFUNDED", `the sender ${sender} cannot pay for a transaction (balance ${balance} wei)`, {
      hint: "Send native currency to this address, or give the key of a funded sender.",
    });
  }
}

/** Whether a node refused a transaction for want of funds. Nodes say it in words of their own; viem knows most of them. */
export function isInsufficientFunds(error: unknown): boolean {
  if (error instanceof BaseError && error.walk((inner) => inner instanceof InsufficientFundsError)) return true;
  return /insufficient funds|have enough funds|exceeds the balance/i.test(describeRpcError(error));
}
