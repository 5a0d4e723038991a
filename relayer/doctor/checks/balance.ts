import { formatEther, formatGwei } from "viem";
import { senderAccount } from "../../command-line/connectOracle.ts";
import { relaySettings } from "../../relay/relaySettings.ts";
import type { Check } from "../check.ts";
import { daysText } from "../daysText.ts";
import { failed, ok, skipped, warning } from "../finding.ts";
import { gasOfUpdates } from "../gasOfUpdates.ts";

export const balanceCheck: Check = {
  name: "balance",
  about: "the sender can pay for updates, and for how many days",
  needs: ["rpc", "sender-key", "markets"],
  keys: ["maxUpdatesPerTransaction", "maxGasPerTransaction"],
  run: async ({ configuration, connection: connect, wanted, enoughDays }) => {
    const connection = await connect();
    if (!connection) return skipped("no RPC endpoint answers");
    const { address } = senderAccount(configuration);
    const { publicClient } = connection;
    const [balance, gasPrice] = await Promise.all([publicClient.getBalance({ address }), publicClient.getGasPrice()]);
    const feeds = wanted().length;
    const gas = gasOfUpdates(feeds, relaySettings(configuration).limits);
    const costPerDay = gas * gasPrice;
    const holds = `${address} holds ${formatEther(balance)} in native currency`;
    if (costPerDay === 0n) return ok(`${holds}, and gas is free`);
    const days = balance / costPerDay;
    const found = `${holds}: enough for ${daysText(days)}, with ${feeds} feeds a day (${gas} gas) at ${formatGwei(gasPrice)} gwei`;
    const hint = `Send native currency to ${address}, or give the key of a funded sender (HOMEPRICE_PRIVATE_KEY).`;
    if (days === 0n) return failed(found, hint);
    return days < BigInt(enoughDays) ? warning(found, hint) : ok(found);
  },
};
