import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import type { ChainWorld } from "../world/chainWorld.ts";
import { bringPrices } from "../world/otherParty.ts";
import type { PriceServiceWorld } from "../world/priceServiceWorld.ts";
import { FEEDS } from "../world/worldSettings.ts";
import type { Day, Disturbance } from "./disturbance.ts";

/** Somebody else brings some of the day's prices, often in the very minute in which the relayer does. */
export function drawOtherParty(
  day: Day,
  randomness: Randomness,
  {
    chains,
    service,
    kernel,
    counts,
  }: {
    readonly chains: readonly ChainWorld[];
    readonly service: PriceServiceWorld;
    readonly kernel: Kernel;
    readonly counts: FaultCounts;
  },
): readonly Disturbance[] {
  return chains.flatMap((world): Disturbance[] => {
    if (!randomness.chance(0.3)) return [];
    const fromMs = day.fromMs + randomness.between(1, 240) * 1000;
    const feeds = randomness.shuffle(FEEDS).slice(0, randomness.between(1, FEEDS.length));
    const kind = "another party is faster";
    return [
      {
        kind,
        subject: world.name,
        fromMs,
        toMs: fromMs,
        begin: () => {
          void kernel.ask({
            kind: "world",
            what: `another party brings prices to ${world.name}`,
            perform: async () => {
              const sent = await bringPrices(world, service, feeds, kernel.time.nowMs());
              if (sent > 0) counts.struck(kind);
              return sent;
            },
            describe: (sent) => `${sent} sent`,
          });
          return undefined;
        },
      },
    ];
  });
}
