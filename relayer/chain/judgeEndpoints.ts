import type { EndpointHealth } from "./chainAccess.ts";

/** What an endpoint says of itself. */
export type Sighting = {
  readonly chainId: number;
  readonly headBlock: bigint;
  /** Time of the newest block, Unix seconds. */
  readonly headTime: bigint;
};

/** What is made of it. */
export type EndpointJudgement = Pick<EndpointHealth, "state" | "reason">;

/** An endpoint lags when its newest block is behind the freshest one's by both. */
export const LAG_BLOCKS = 3n;
export const LAG_SECONDS = 60n;

/** A newest block that is further ahead of our clock is not believed, where another endpoint's is not. */
export const AHEAD_SECONDS = 900n;

const USABLE: EndpointJudgement = { state: "usable", reason: "" };

/**
 * Judges the endpoints that have answered by what they and the others say; `undefined` stands for one that has not.
 * @param chainId The chain that is meant; that of most endpoints otherwise.
 */
export function judgeEndpoints(
  sightings: readonly (Sighting | undefined)[],
  { chainId, nowMs }: { chainId: number; nowMs: number },
): (EndpointJudgement | undefined)[] {
  const ahead = BigInt(Math.floor(nowMs / 1000)) + AHEAD_SECONDS;
  const onChain = sightings.filter((sighting) => sighting !== undefined && sighting.chainId === chainId);
  const believed = onChain.filter((sighting) => sighting !== undefined && sighting.headTime <= ahead);
  const references = believed.length > 0 ? believed : onChain;

  return sightings.map((sighting) => {
    if (!sighting) return undefined;
    if (sighting.chainId !== chainId) {
      return { state: "wrong-chain", reason: `it is chain ${sighting.chainId}, not ${chainId}` };
    }
    if (!references.includes(sighting)) {
      return { state: "unreachable", reason: "its newest block is of a time that has not come yet" };
    }
    const freshest = references.find(
      (other) =>
        other !== undefined &&
        other.headBlock - sighting.headBlock >= LAG_BLOCKS &&
        other.headTime - sighting.headTime >= LAG_SECONDS,
    );
    if (!freshest) return USABLE;
    const [blocks, seconds] = [freshest.headBlock - sighting.headBlock, freshest.headTime - sighting.headTime];
    return { state: "lagging", reason: `its newest block is ${blocks} blocks and ${seconds} s behind` };
  });
}

/** The chain that most endpoints have; the first one's, where none has more than another. */
export function chainIdOfMost(sightings: readonly (Sighting | undefined)[]): number | undefined {
  const votes = new Map<number, number>();
  for (const sighting of sightings) {
    if (sighting) votes.set(sighting.chainId, (votes.get(sighting.chainId) ?? 0) + 1);
  }
  let best: number | undefined;
  for (const [chainId, count] of votes) {
    if (best === undefined || count > (votes.get(best) ?? 0)) best = chainId;
  }
  return best;
}
