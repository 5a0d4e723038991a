import { keyInHint } from "../../configuration/keyInHint.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const chainIdCheck: ChainCheck = {
  scope: "chain",
  name: "chain-id",
  about: "every RPC endpoint has the configured chain",
  needs: ["rpc"],
  keys: ["chainId"],
  run: async ({ chain, rpcEndpoints }) => {
    const { chainId: expected } = chain;
    const found = (await rpcEndpoints()).flatMap(({ name, connection }) =>
      connection ? [{ name, chainId: connection.chain.id }] : [],
    );
    const ids = [...new Set(found.map(({ chainId }) => chainId))];
    const each = found.map(({ name, chainId }) => `${name} is chain ${chainId}`).join("; ");
    if (expected !== undefined && ids.some((chainId) => chainId !== expected)) {
      return failed(
        `${each}; the configuration says ${expected}`,
        `Correct ${keyInHint(chain, "chainId")} or ${keyInHint(chain, "rpcUrl")}; nothing is sent before.`,
      );
    }
    if (ids.length > 1) {
      return failed(
        `the RPC endpoints have different chains: ${each}`,
        `Give endpoints of one chain in ${keyInHint(chain, "rpcUrl")}, and its id in ${keyInHint(chain, "chainId")}.`,
      );
    }
    return ok(expected === undefined ? `${each}; chainId is not set to compare it with` : `chain ${expected}`);
  },
};
