import type { ChainConnection } from "../chain/chainConnection.ts";
import type { ChainConfiguration } from "../configuration/chainConfiguration.ts";
import { type ConfiguredSigner, signerOf } from "../configured/configuredSigner.ts";
import type { Examination } from "./examination.ts";
import { type ExaminedOracle, examineOracle } from "./examinedOracle.ts";
import { once } from "./once.ts";
import { type RpcEndpoint, tryRpcEndpoints } from "./rpcEndpoint.ts";

/** What can be looked at of one chain, each piece fetched once, as in {@link Examination}. */
export type ExaminedChain = {
  readonly chain: ChainConfiguration;
  readonly rpcEndpoints: () => Promise<readonly RpcEndpoint[]>;
  /** The first endpoint that answers and has the configured chain, else the first that answers. */
  readonly connection: () => Promise<ChainConnection | undefined>;
  /** `undefined` without a connection. */
  readonly oracle: () => Promise<ExaminedOracle | undefined>;
  /** Whoever signs the transactions. */
  readonly signer: () => Promise<ConfiguredSigner>;
};

/** What the checks of one chain look at. */
export type ChainExamination = Omit<Examination, "configuration"> & ExaminedChain;

export function examineChain(chain: ChainConfiguration): ExaminedChain {
  const rpcEndpoints = once(() => tryRpcEndpoints(chain));
  const connection = once(async () => {
    const connections = (await rpcEndpoints()).flatMap(({ connection }) => connection ?? []);
    return connections.find((each) => each.chain.id === chain.chainId) ?? connections[0];
  });
  return {
    chain,
    rpcEndpoints,
    connection,
    oracle: once(async () => {
      const connected = await connection();
      return connected && examineOracle(connected, chain);
    }),
    signer: once(() => signerOf(chain)),
  };
}
