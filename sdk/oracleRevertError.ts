import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { type DecodedOracleError, decodeOracleError } from "./decodeOracleError.ts";

/** The oracle, an adapter or a HomePriceConsumer has reverted with an error of its own: see `decoded`. */
export class OracleRevertError extends HomePriceError {
  readonly decoded: DecodedOracleError;

  constructor(decoded: DecodedOracleError, cause?: unknown) {
    super("ORACLE_REVERTED", decoded.message, { hint: decoded.hint, cause });
    this.decoded = decoded;
  }
}

/** Runs something that calls a contract; a revert with an error of ours becomes an {@link OracleRevertError}. */
export async function namingReverts<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const decoded = decodeOracleError(error);
    if (decoded) throw new OracleRevertError(decoded, error);
    throw error;
  }
}
