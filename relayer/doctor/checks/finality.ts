import { readFinalBlock } from "../../chain/finality.ts";
import { spendingRules } from "../../configuration/chainSettings.ts";
import { keyInHint } from "../../configuration/keyInHint.ts";
import { HomePriceError } from "../../errors/HomePriceError.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok, skipped } from "../finding.ts";

export const finalityCheck: ChainCheck = {
  scope: "chain",
  name: "finality",
  about: "the node says from when on a transaction counts",
  needs: ["rpc"],
  keys: ["finality"],
  run: async ({ chain, connection: connect }) => {
    const connection = await connect();
    if (!connection) return skipped("no RPC endpoint answers");
    const { finality } = spendingRules(chain, connection.chain.id);
    try {
      const block = await readFinalBlock(connection, finality);
      return finality === "finalized"
        ? ok(`blocks up to ${block} are finalized`)
        : ok(`a transaction counts with ${finality} blocks on top of it: those up to block ${block}`);
    } catch (error) {
      if (!(error instanceof HomePriceError)) throw error;
      return failed(
        error.message,
        `Set ${keyInHint(chain, "finality")} to the number of blocks after which nothing is taken back on this chain, such as 64.`,
      );
    }
  },
};
