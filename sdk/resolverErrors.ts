import type { Address, Hex } from "viem";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";

export type OracleResolverErrorCode =
  | "ORACLE_CONTRACT_NOT_CONFIGURED"
  | "WRONG_ORACLE_ID"
  | "WRONG_ORACLE"
  | "ORACLE_FEE_REFUSED"
  | "ORACLE_QUERY_MALFORMED"
  | "ORACLE_QUERY_REPEATED"
  | "RESOLVER_TOO_DEEP"
  | "MULTICALL_MISSING";

const HINTS: Readonly<Record<OracleResolverErrorCode, string>> = {
  ORACLE_CONTRACT_NOT_CONFIGURED:
    "If you trust this contract, add it to oracleContracts; anybody can ask for anything.",
  WRONG_ORACLE_ID: "Take this contract out of oracleContracts: it is no ERC-7412 adapter of this project.",
  WRONG_ORACLE: "Give the oracle that this adapter reads, or the adapter of your oracle.",
  ORACLE_FEE_REFUSED:
    "Bringing home prices is free. Do not pay: this is no adapter of this project, or one of another version.",
  ORACLE_QUERY_MALFORMED: "Use the version of this package that belongs to the adapter.",
  ORACLE_QUERY_REPEATED: "The newest price does not satisfy the call: try again later, or have it ask for less.",
  RESOLVER_TOO_DEEP: "Raise maxDepth if the call truly reads so many feeds.",
  MULTICALL_MISSING: "Give the address of a contract with Multicall3's aggregate3Value as multicall.",
};

/** A call asks for data that are not fulfilled, or not again. */
export class OracleResolverError extends HomePriceError {
  declare readonly code: OracleResolverErrorCode;
  /** Who asked for data. */
  readonly oracleContract?: Address;
  /** What it asked for. */
  readonly oracleQuery?: Hex;

  constructor(
    code: OracleResolverErrorCode,
    message: string,
    query: { readonly oracleContract?: Address; readonly oracleQuery?: Hex } = {},
  ) {
    super(code, message, { hint: HINTS[code] });
    if (query.oracleContract !== undefined) this.oracleContract = query.oracleContract;
    if (query.oracleQuery !== undefined) this.oracleQuery = query.oracleQuery;
  }
}

/** The call itself is reverted, with an error that is none of this project's. */
export class CallRevertedError extends HomePriceError {
  /** What it was reverted with; `0x` for nothing. */
  readonly data: Hex;

  constructor(data: Hex) {
    super("CALL_REVERTED", `the call would be reverted with ${data === "0x" ? "no data" : data}`, {
      hint: "With all prices fresh the call fails for a reason of its own: decode the data with its contract's ABI.",
    });
    this.data = data;
  }
}
