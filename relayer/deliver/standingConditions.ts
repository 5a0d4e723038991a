import { formatEther } from "viem";
import { dateOfDay } from "../message/calendarDate.ts";
import type { Condition } from "../watch/condition.ts";
import type { ChainContext } from "./chainContext.ts";
import type { DeliveredFeed } from "./deliveryReport.ts";
import type { DeliveryPlan } from "./planDeliveries.ts";

/** Feeds named in one message. */
const NAMED_FEEDS = 5;

/** What a person should know of how the feeds stand on a chain, and of what is left to pay with. */
export function standingConditions(
  { settings, signer, nowMs }: ChainContext,
  {
    feeds,
    missed,
    balanceWei,
    runwayDays,
  }: {
    readonly feeds: readonly DeliveredFeed[];
    readonly missed: DeliveryPlan["missed"];
    readonly balanceWei: bigint | undefined;
    readonly runwayDays: number | undefined;
  },
): Condition[] {
  const conditions: Condition[] = [];
  const notCurrent = feeds.filter(
    ({ onChain }) => !onChain || onChain.price === 0n || onChain.expiry * 1000n <= nowMs(),
  );
  if (notCurrent.length > 0) {
    conditions.push({
      kind: "feed-not-current",
      subject: "",
      severity: "critical",
      message: `${notCurrent.length} of ${feeds.length} feeds have no price on the chain that is served: ${named(notCurrent)}`,
      hint: "See homeprice status, and what else is told of this chain and of the price service.",
    });
  }
  const waiting = feeds.filter(({ status }) => status === "waiting");
  if (waiting.length > 0) {
    conditions.push({
      kind: "price-quarantined",
      subject: "",
      severity: "warning",
      message: `${waiting.length} prices wait in quarantine: ${named(waiting)}`,
      hint: "Have the oracle's guardian look at them: they are served by themselves unless vetoed.",
    });
  }
  const refused = feeds.filter(({ status }) => status === "failed");
  if (refused.length > 0) {
    conditions.push({
      kind: "update-refused",
      subject: "",
      severity: "warning",
      message: `${refused.length} prices that pass our checks cannot be brought: ${named(refused)}`,
      hint: "homeprice relay --once --dry-run says of each feed why.",
    });
  }
  if (missed.length > 0) {
    const dates = [...new Set(missed.map(({ day }) => dateOfDay(day)))].toSorted();
    conditions.push({
      kind: "edition-missed",
      subject: "",
      severity: "critical",
      message: `${missed.length} prices of ${dates.join(", ")} could not be brought while their windows were open`,
      hint: "homeprice history --state missed says of each why; nothing can bring them any more.",
    });
  }
  if (runwayDays !== undefined && runwayDays < settings.balanceWarningDays) {
    conditions.push({
      kind: "balance-low",
      subject: signer?.address ?? "",
      severity: "warning",
      message: `the balance of ${formatEther(balanceWei ?? 0n)} lasts for ${runwayDays} days`,
      hint: `Send native currency to ${signer?.address}.`,
    });
  }
  return conditions;
}

function named(feeds: readonly DeliveredFeed[]): string {
  const names = feeds.slice(0, NAMED_FEEDS).map(({ feedId, reason }) => `${feedId}${reason ? ` (${reason})` : ""}`);
  const more = feeds.length - names.length;
  return `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
