import { formatGwei } from "viem";
import type { Condition } from "../watch/condition.ts";

/** What a person is told while fees are above the cap. */
export function feesAboveCap({
  neededWei,
  capWei,
}: {
  readonly neededWei: bigint;
  readonly capWei: bigint;
}): Condition {
  return {
    kind: "fees-above-cap",
    subject: "",
    severity: "critical",
    message: `a transaction needs ${formatGwei(neededWei)} gwei a unit of gas, the cap is ${formatGwei(capWei)}: nothing is sent`,
    hint: "Sending goes on by itself when fees fall; raise maxFeePerGasGwei to send now.",
  };
}
