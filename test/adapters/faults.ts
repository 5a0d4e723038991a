import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import type { DecodedError } from "../oracle/decodedErrors.ts";
import type { TestChain, TestOracle } from "../oracle/oracleFixture.ts";
import { DAY, dayOf, HOUR, SIGNER, testSigner } from "../oracle/signedUpdate.ts";
import type { Bound, Fault } from "./adapterUnderTest.ts";

/** Allows one missed day, and ends in the hours in which another price can wait. */
export const MAX_AGE = 25n * HOUR;
const QUARANTINE_DELAY = 6n * HOUR;
const PRICE = 21_694_000_000n;
const MINUTE = 60n;

/** An oracle that is about to have nothing to serve. */
export type FaultScenario = {
  readonly oracle: TestOracle;
  /** What is served at the clock's time, the last second before the fault; nothing if nothing ever was. */
  readonly served: bigint | undefined;
  /** Makes the fault begin. Returns the oracle's error for it. */
  strike(): Promise<DecodedError>;
  /** Ends the fault. Returns what is served from then on. */
  cure(): Promise<bigint>;
};

/** The faults that a face can have, by what bounds the life of its prices. */
export function faultsOf(bound: Bound): readonly Fault[] {
  const ofAll = ["neverSet", "oraclePaused", "feedPaused", "signerRevoked"] as const;
  if (bound === "none") return ofAll;
  return [...ofAll, "quarantined", bound === "age" ? "tooOld" : "expired"];
}

/** Deploys an oracle and brings it to the last second before a fault. */
export async function beforeFault(
  fault: Fault,
  { clock, deployOracle }: TestChain,
  feedId: bigint,
  bound: Bound,
): Promise<FaultScenario> {
  const start = clock.now();
  const publishTime = start - MINUTE;
  const expiry = start + DAY;
  const secondSigner = testSigner("second");
  const oracle = await deployOracle({
    signers: [SIGNER, secondSigner],
    quarantineDelay: QUARANTINE_DELAY,
    defaultBand: 1_000n,
  });

  const first = oracle.signed({ feedId, price: PRICE });
  const bringAnother = async () => {
    const price = PRICE + 1n;
    await oracle.update(oracle.signed({ feedId, price, signer: secondSigner }));
    return price;
  };
  if (fault !== "neverSet") await oracle.update(first);
  /** Until when the first price is served, with that second. */
  const lastSecond = bound === "expiry" ? expiry - 1n : publishTime + MAX_AGE;
  const error = (name: string, ...args: unknown[]): DecodedError => ({ name, args: [feedId, ...args] });

  switch (fault) {
    case "neverSet":
      return { oracle, served: undefined, strike: async () => error("NoPrice"), cure: bringAnother };
    case "expired":
      await clock.set(lastSecond);
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await clock.set(lastSecond + 1n);
          return error("PriceExpired", expiry);
        },
        cure: bringAnother,
      };
    case "tooOld":
      await clock.set(lastSecond);
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await clock.set(lastSecond + 1n);
          return error("PriceTooOld", MAX_AGE + 1n, MAX_AGE);
        },
        cure: bringAnother,
      };
    case "quarantined": {
      await clock.set(start + 23n * HOUR);
      const servedFrom = clock.now() + QUARANTINE_DELAY;
      const { events } = await oracle.update(oracle.signed({ feedId, price: 2n * PRICE }));
      if (events[0]?.eventName !== "PriceQuarantined") throw new Error("a price outside the band does not wait");
      await clock.set(lastSecond);
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await clock.set(lastSecond + 1n);
          return error("FeedQuarantined", servedFrom);
        },
        cure: async () => {
          await clock.set(servedFrom);
          return 2n * PRICE;
        },
      };
    }
    case "oraclePaused":
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await oracle.guardian.pause();
          return error("FeedPaused");
        },
        cure: async () => {
          await oracle.owner.unpause();
          return PRICE;
        },
      };
    case "feedPaused":
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await oracle.guardian.pauseFeed(feedId);
          return error("FeedPaused");
        },
        cure: async () => {
          await oracle.owner.unpauseFeed(feedId);
          return PRICE;
        },
      };
    case "signerRevoked":
      return {
        oracle,
        served: PRICE,
        strike: async () => {
          await oracle.owner.revokeSigner(1);
          return error("PriceSignerRevoked", 1);
        },
        // Of the same publish time: what a leaked key has signed keeps nothing out.
        cure: bringAnother,
      };
  }
}

/** Sets the clock to the next 13:00 UTC, half an hour after a day's prices come out. */
export async function startNextDay({ clock }: TestChain): Promise<void> {
  await clock.set((clock.now() / DAY + 1n) * DAY + 13n * HOUR);
}

/** The date of a time in seconds. */
export function dateAt(seconds: bigint): string {
  return dateOfDay(dayOf(seconds));
}
