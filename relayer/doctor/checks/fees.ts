import { formatGwei } from "viem";
import { readFees } from "../../chain/fees.ts";
import { spendingRules } from "../../configuration/chainSettings.ts";
import { keyInHint } from "../../configuration/keyInHint.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok, skipped, warning } from "../finding.ts";

/** Fees double now and then; a cap below that stops deliveries often. */
const AMPLE = 2n;

export const feesCheck: ChainCheck = {
  scope: "chain",
  name: "fees",
  about: "the chain's fees are below the configured cap",
  needs: ["rpc"],
  keys: ["maxFeePerGasGwei"],
  run: async ({ chain, connection: connect }) => {
    const connection = await connect();
    if (!connection) return skipped("no RPC endpoint answers");
    const { maxFeePerGas: cap } = spendingRules(chain, connection.chain.id);
    const { baseFeePerGas, maxPriorityFeePerGas } = await readFees(connection);
    const needed = baseFeePerGas + maxPriorityFeePerGas;
    const asked = `the chain asks for ${formatGwei(needed)} gwei`;
    if (cap === undefined) return ok(`${asked}; there is no cap`);
    const found = `${asked}; the cap is ${formatGwei(cap)} gwei`;
    const hint = `Nothing is sent while fees are above the cap. Raise ${keyInHint(chain, "maxFeePerGasGwei")}, or wait until they fall.`;
    if (needed > cap) return failed(found, hint);
    return needed * AMPLE > cap ? warning(found, hint) : ok(found);
  },
};
