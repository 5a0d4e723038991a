import type { ChainCheck } from "../check.ts";
import { ok, skipped } from "../finding.ts";

export const oracleCheck: ChainCheck = {
  scope: "chain",
  name: "oracle",
  about: "there is an oracle at the address",
  needs: ["rpc"],
  keys: ["oracleAddress", "deploymentsDirectory"],
  run: async ({ oracle, chain: { oracleAddress } }) => {
    const found = await oracle();
    if (!found) return skipped("no RPC endpoint answers");
    const source = oracleAddress ? "" : ", from the address book";
    return ok(`${found.address} on chain ${found.connection.chain.id}${source}`);
  },
};
