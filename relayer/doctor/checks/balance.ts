import { formatEther, formatGwei } from "viem";
import { daysText } from "../../wording/daysText.ts";
import type { ChainCheck } from "../check.ts";
import { costPerDay } from "../costPerDay.ts";
import { failed, ok, skipped, warning } from "../finding.ts";

export const balanceCheck: ChainCheck = {
  scope: "chain",
  name: "balance",
  about: "the sender can pay for updates, and for how many days",
  needs: ["rpc", "sender-key", "markets"],
  keys: ["maxUpdatesPerTransaction", "maxGasPerTransaction", "balanceWarningDays"],
  run: async (examination) => {
    const { chain, connection: connect, signer, enoughDays = chain.balanceWarningDays } = examination;
    const connection = await connect();
    const cost = await costPerDay(examination);
    if (!connection || !cost) return skipped("no RPC endpoint answers");
    const { address } = await signer();
    const balance = await connection.publicClient.getBalance({ address });
    const holds = `${address} holds ${formatEther(balance)} in native currency`;
    if (cost.wei === 0n) return ok(`${holds}, and gas is free`);
    const days = balance / cost.wei;
    const found = `${holds}: enough for ${daysText(days)}, with ${cost.feeds} feeds a day (${cost.gas} gas) at ${formatGwei(cost.gasPrice)} gwei`;
    const hint = `Send native currency to ${address}, or give the key of a funded sender.`;
    if (days === 0n) return failed(found, hint);
    return days < BigInt(enoughDays) ? warning(found, hint) : ok(found);
  },
};
