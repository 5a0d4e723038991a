import { isAddressEqual } from "viem";
import { LOCAL_CHAIN_ID } from "../../chain/chainConnection.ts";
import type { ChainCheck } from "../check.ts";
import { ok, skipped, warning } from "../finding.ts";

export const ownerCheck: ChainCheck = {
  scope: "chain",
  name: "owner",
  about: "the oracle's owner and the sender are different keys",
  needs: ["oracle", "sender-key"],
  keys: ["owner"],
  run: async ({ chain, oracle, signer }) => {
    const found = await oracle();
    if (!found) return skipped("no RPC endpoint answers");
    const { address } = await signer();
    if (found.connection.chain.id === LOCAL_CHAIN_ID)
      return ok(`${found.owner} owns the oracle; this chain is a local one`);
    const roles = [
      ...(isAddressEqual(found.owner, address) ? ["owns the oracle"] : []),
      ...(chain.owner && isAddressEqual(chain.owner, address) ? ["is the owner of oracles to be deployed"] : []),
    ];
    if (roles.length === 0) return ok(`${found.owner} owns the oracle, ${address} sends`);
    return warning(
      `the sender ${address} ${roles.join(" and ")}`,
      "Send with another key: the sender's lies on a machine that is always online, and whoever has the owner's decides which signers are believed. Ownership is handed over with transferOwnership and acceptOwnership of the oracle; of oracles to be deployed it is owner (HOMEPRICE_OWNER).",
    );
  },
};
