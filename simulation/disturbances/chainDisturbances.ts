import { ENDPOINT_FAULTS, type EndpointFault } from "../chain/endpointFaults.ts";
import type { ReorganisationFate } from "../chain/simulatedChain.ts";
import type { Kernel } from "../kernel/kernel.ts";
import type { Randomness } from "../kernel/randomness.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import type { ChainWorld } from "../world/chainWorld.ts";
import { type TroubleLog, troubleOfChain } from "../world/troubleLog.ts";
import { type Day, type Disturbance, HOUR_MS, MINUTE_MS } from "./disturbance.ts";
import { drawSpan } from "./duration.ts";

const FATES: readonly (readonly [ReorganisationFate, number])[] = [
  ["mined-again", 5],
  ["forgotten", 3],
  ["mined-late", 2],
];

/** How long block producers leave a transaction waiting at most. */
const LONGEST_WAIT_MINUTES = 90;

type Context = { readonly kernel: Kernel; readonly troubles: TroubleLog; readonly counts: FaultCounts };

/** What goes wrong with one chain and its endpoints on one day. */
export function drawChainDisturbances(
  day: Day,
  randomness: Randomness,
  world: ChainWorld,
  context: Context,
): readonly Disturbance[] {
  return [
    ...endpointFaults(day, randomness.stream("endpoints"), world),
    ...feeSpikes(day, randomness.stream("fees"), world, context),
    ...reorganisations(day, randomness.stream("reorganisations"), world, context),
    ...slowBlocks(day, randomness.stream("blocks"), world, context),
  ];
}

function endpointFaults(day: Day, randomness: Randomness, world: ChainWorld): Disturbance[] {
  const kinds = Object.keys(ENDPOINT_FAULTS) as EndpointFault[];
  const single = world.endpoints.flatMap((endpoint): Disturbance[] => {
    if (!randomness.chance(0.22)) return [];
    const fault = randomness.pick(kinds);
    return [
      {
        kind: `endpoint ${fault}`,
        subject: endpoint.url,
        ...drawSpan(day, randomness),
        begin: () => world.beginFault(endpoint, fault),
      },
    ];
  });
  if (!randomness.chance(0.05)) return single;
  const span = drawSpan(day, randomness);
  const all = world.endpoints.map(
    (endpoint): Disturbance => ({
      kind: "endpoint dead",
      subject: endpoint.url,
      ...span,
      begin: () => world.beginFault(endpoint, "dead"),
    }),
  );
  return [...single, ...all];
}

function feeSpikes(day: Day, randomness: Randomness, world: ChainWorld, { troubles, counts }: Context): Disturbance[] {
  if (!randomness.chance(0.15)) return [];
  // Mostly such that the day's prices meet it.
  const drawn = drawSpan(day, randomness);
  const earlierMs = randomness.chance(0.7)
    ? Math.max(0, drawn.fromMs - day.fromMs) + randomness.below(30 * MINUTE_MS)
    : 0;
  const span = { fromMs: drawn.fromMs - earlierMs, toMs: drawn.toMs };
  const factor = BigInt(randomness.pick([4, 10, 25, 50, 400]));
  const baseFeePerGas = world.specification.baseFeePerGas * factor;
  const isTooDear = world.isTooDear(baseFeePerGas);
  if (isTooDear) troubles.add(troubleOfChain(world.name), span);
  const kind = isTooDear ? "fees above cap or budget" : "fees high";
  return [
    {
      kind,
      subject: world.name,
      ...span,
      begin: () => {
        world.fees.addSpike({ ...span, baseFeePerGas });
        counts.struck(kind);
        return undefined;
      },
    },
  ];
}

/** At moments at which a transaction of the relayer's is likely to be in one of the newest blocks. */
function reorganisations(
  day: Day,
  randomness: Randomness,
  world: ChainWorld,
  { kernel, troubles, counts }: Context,
): Disturbance[] {
  if (!randomness.chance(0.35)) return [];
  const times = randomness.between(1, 3);
  return Array.from({ length: times }, (): Disturbance => {
    const fromMs =
      day.fromMs + randomness.between(10, 900) * 1000 + randomness.below(2) * randomness.below(10 * HOUR_MS);
    const fate = randomness.pickWeighted(FATES);
    const filledBlocks = randomness.between(1, 2);
    return {
      kind: "reorganisation",
      subject: `${world.name}, ${fate}`,
      fromMs,
      toMs: fromMs,
      begin: () => {
        void kernel.ask({
          kind: "world",
          what: `reorganise ${world.name}`,
          perform: async () => {
            const lost = await world.chain.reorganise(filledBlocks, fate);
            if (lost.length === 0) return 0;
            counts.struck("reorganisation");
            // What was brought before has to be brought again: only time after this counts.
            troubles.add(troubleOfChain(world.name), { fromMs: day.fromMs, toMs: kernel.time.nowMs() });
            return lost.length;
          },
          describe: (lost) => `${lost} transactions lost`,
        });
        return undefined;
      },
    };
  });
}

function slowBlocks(day: Day, randomness: Randomness, world: ChainWorld, { troubles, counts }: Context): Disturbance[] {
  if (!randomness.chance(0.12)) return [];
  const fromMs = day.fromMs - 5 * MINUTE_MS;
  const span = { fromMs, toMs: fromMs + randomness.between(10, 120) * MINUTE_MS };
  const blocks = Math.ceil(
    randomness.between(4, LONGEST_WAIT_MINUTES) * (MINUTE_MS / world.specification.blockIntervalMs),
  );
  // A transaction of its last minute waits for as long again.
  troubles.add(troubleOfChain(world.name), { ...span, toMs: span.toMs + (LONGEST_WAIT_MINUTES + 5) * MINUTE_MS });
  return [
    {
      kind: "transactions wait long",
      subject: world.name,
      ...span,
      begin: () => {
        counts.struck("transactions wait long");
        world.chain.delayBlocks = blocks;
        return () => {
          world.chain.delayBlocks = 0;
        };
      },
    },
  ];
}
