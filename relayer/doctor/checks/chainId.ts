import type { Check } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const chainIdCheck: Check = {
  name: "chain-id",
  about: "every RPC endpoint has the configured chain",
  needs: ["rpc"],
  keys: ["chainId"],
  run: async ({ configuration: { chainId: expected }, rpcEndpoints }) => {
    const found = (await rpcEndpoints()).flatMap(({ name, connection }) =>
      connection ? [{ name, chainId: connection.chain.id }] : [],
    );
    const ids = [...new Set(found.map(({ chainId }) => chainId))];
    const each = found.map(({ name, chainId }) => `${name} is chain ${chainId}`).join("; ");
    if (expected !== undefined && ids.some((chainId) => chainId !== expected)) {
      return failed(
        `${each}; the configuration says ${expected}`,
        "Correct chainId (HOMEPRICE_CHAIN_ID) or rpcUrl (HOMEPRICE_RPC_URL); nothing is sent before.",
      );
    }
    if (ids.length > 1) {
      return failed(
        `the RPC endpoints have different chains: ${each}`,
        "Give endpoints of one chain in rpcUrl (HOMEPRICE_RPC_URL), and its id in chainId (HOMEPRICE_CHAIN_ID).",
      );
    }
    return ok(expected === undefined ? `${each}; chainId is not set to compare it with` : `chain ${expected}`);
  },
};
