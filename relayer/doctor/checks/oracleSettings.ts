import { DEFAULT_WINDOWS, type TimeWindows } from "../../message/timeWindows.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok, skipped } from "../finding.ts";

export const oracleSettingsCheck: ChainCheck = {
  scope: "chain",
  name: "oracle-settings",
  about: "the oracle's rental offset and time windows are the configured ones",
  needs: ["oracle"],
  keys: ["rentalOffset", "maxExpiryAfterDateSeconds"],
  run: async ({ oracle, chain }) => {
    const found = await oracle();
    if (!found) return skipped("no RPC endpoint answers");
    const { rentalOffset, windows } = found;
    const expected: TimeWindows = {
      ...DEFAULT_WINDOWS,
      maxExpiryAfterDateMs: BigInt(chain.maxExpiryAfterDateSeconds) * 1000n,
    };
    const differing = (Object.keys(expected) as (keyof TimeWindows)[]).filter(
      (name) => windows[name] !== expected[name],
    );
    const differences = [
      ...(rentalOffset === chain.rentalOffset
        ? []
        : [`rentalOffset is ${rentalOffset} in the oracle, ${chain.rentalOffset} in the configuration`]),
      ...differing.map((name) => `${name} is ${windows[name]} in the oracle, ${expected[name]} here`),
    ];
    if (differences.length === 0) return ok(`rental offset ${rentalOffset}, and the same time windows`);
    return failed(
      differences.join("; "),
      "An oracle never changes these. Set rentalOffset (HOMEPRICE_RENTAL_OFFSET) and maxExpiryAfterDateSeconds to its values if they are the service's too; otherwise deploy another oracle with the right ones.",
    );
  },
};
