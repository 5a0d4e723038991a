import type { ChainConnection } from "../chain/chainConnection.ts";
import { describeRpcError } from "../chain/rpcError.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { ChainContext } from "./chainContext.ts";

/**
 * Does something through one pinned endpoint. Where that fails, the endpoint comes last from then on, so that who tries
 * again has another one.
 */
export async function throughOneEndpoint<T>(
  { access }: Pick<ChainContext, "access">,
  run: (connection: ChainConnection) => Promise<T>,
): Promise<T> {
  const connection = await access.pin();
  try {
    return await run(connection);
  } catch (error) {
    if (!(error instanceof HomePriceError)) access.report(connection, describeRpcError(error));
    throw error;
  }
}
