import { LOCAL_CHAIN_ID } from "../../chain/chainConnection.ts";
import { keyInHint } from "../../configuration/keyInHint.ts";
import type { ExaminedChain } from "../chainExamination.ts";
import type { SharedCheck } from "../check.ts";
import type { Examination } from "../examination.ts";
import { failed, ok, skipped, warning } from "../finding.ts";

/** More than what a Date header in whole seconds, the network, and a chain's own freedom with its time account for. */
const TOLERANCE_MS = 30_000n;

/** From here on prices are refused that are in order, or taken that are not, at the bounds of the time windows. */
const TOO_FAR_MS = 300_000n;

/** No chain in use goes without a block for so long. */
const OLD_BLOCK_MS = 600_000n;

export const clockCheck: SharedCheck = {
  scope: "shared",
  name: "clock",
  about: "this machine's clock agrees with the service's and with the chains'",
  needs: [],
  keys: [],
  run: async (examination) => {
    const serviceAheadMs = await aheadOfService(examination);
    const blocks = (await Promise.all(examination.chains.map((chain) => latestBlock(chain, examination)))).flatMap(
      (block) => block ?? [],
    );
    const found = [
      ...(serviceAheadMs === undefined ? [] : [`the service's clock is ${describe(serviceAheadMs)}`]),
      ...blocks.map(({ name, aheadMs }) => `the latest block${name} is ${describe(aheadMs)}`),
    ].join("; ");
    if (found === "") return skipped("neither service nor chain could be asked for the time");
    // A block may be old because none came since; only one from the future says something of the clock.
    const farthest = blocks.toSorted((one, other) => (one.aheadMs < other.aheadMs ? 1 : -1))[0];
    const blockAheadMs = farthest && farthest.aheadMs > 0n ? farthest.aheadMs : 0n;
    const isServiceOff = magnitude(serviceAheadMs ?? 0n) > TOLERANCE_MS;
    const isBlockAhead = blockAheadMs > TOLERANCE_MS;
    if (isServiceOff || isBlockAhead) {
      const judge = magnitude(serviceAheadMs ?? 0n) > TOO_FAR_MS || blockAheadMs > TOO_FAR_MS ? failed : warning;
      return judge(found, hintFor(serviceAheadMs, farthest?.aheadMs));
    }
    const lagging = blocks.find((block) => !block.isLocal && -block.aheadMs > OLD_BLOCK_MS);
    if (lagging) {
      return warning(
        found,
        `The node lags behind, or its chain stands still: check the node behind ${keyInHint(lagging, "rpcUrl")}.`,
      );
    }
    return ok(found);
  },
};

async function aheadOfService({ answerWithoutKey }: Examination): Promise<bigint | undefined> {
  const clock = (await answerWithoutKey().catch(() => undefined))?.clock;
  return clock && clock.theirsMs - clock.oursMs;
}

async function latestBlock({ chain: { chainName }, connection: connect }: ExaminedChain, { nowMs }: Examination) {
  const connection = await connect().catch(() => undefined);
  const block = await connection?.publicClient.getBlock().catch(() => undefined);
  if (!connection || !block) return undefined;
  return {
    chainName,
    name: chainName === undefined ? "" : ` of ${chainName}`,
    aheadMs: block.timestamp * 1000n - nowMs(),
    isLocal: connection.chain.id === LOCAL_CHAIN_ID,
  };
}

/** Two clocks that agree with each other are right; of two that do not, nobody can say. */
function hintFor(serviceAheadMs: bigint | undefined, blockAheadMs: bigint | undefined): string {
  const agree =
    serviceAheadMs !== undefined &&
    blockAheadMs !== undefined &&
    magnitude(serviceAheadMs - blockAheadMs) <= TOLERANCE_MS;
  const set = "set this machine's by a time server (timedatectl set-ntp true)";
  return agree
    ? `Service and chain agree, so that this machine's clock is wrong: ${set}.`
    : `One of the clocks is wrong: ${set}, then look again.`;
}

function magnitude(milliseconds: bigint): bigint {
  return milliseconds < 0n ? -milliseconds : milliseconds;
}

function describe(aheadMs: bigint): string {
  const seconds = magnitude(aheadMs) / 1000n;
  if (seconds <= 1n) return "the same as this machine's";
  return `${seconds} s ${aheadMs > 0n ? "ahead of" : "behind"} this machine's`;
}
