import type { Abi, Address, ContractFunctionArgs, ContractFunctionName, Hex } from "viem";

/** One call, ready for `sendTransaction`, for the `calls` of `sendCalls`, and for smart accounts. */
export type PreparedCall = { readonly to: Address; readonly data: Hex; readonly value: bigint };

/** Functions that a transaction can call. */
export type Writing = "nonpayable" | "payable";

/** A function takes a value only if it is payable. */
type ValueOf<abi, functionName> =
  Extract<
    abi extends readonly unknown[] ? abi[number] : never,
    { type: "function"; name: functionName; stateMutability: "payable" }
  > extends never
    ? { readonly value?: undefined }
    : { readonly value?: bigint | undefined };

/** A function of a contract, without its arguments. */
type CallTarget<abi extends Abi | readonly unknown[], functionName extends ContractFunctionName<abi, Writing>> = {
  readonly address: Address;
  readonly abi: abi;
  readonly functionName: functionName;
} & ValueOf<abi, functionName>;

/** Arguments for `writeContract`. */
export type WriteRequest<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = CallTarget<abi, functionName> & { readonly args: args };

/** The same where the updates that the call brings are not known yet. */
export type PullRequest<
  abi extends Abi | readonly unknown[],
  functionName extends ContractFunctionName<abi, Writing>,
  args extends ContractFunctionArgs<abi, Writing, functionName> = ContractFunctionArgs<abi, Writing, functionName>,
> = CallTarget<abi, functionName> & {
  /** Makes the arguments once the updates are known; there may be none. */
  readonly args: (updates: readonly Hex[]) => args;
};
