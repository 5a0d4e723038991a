import { hexToBytes } from "viem";
import { onTestFinished } from "vitest";
import type { CollectContext } from "../../relayer/edition/collectContext.ts";
import { type CollectOptions, collectEdition } from "../../relayer/edition/collectEdition.ts";
import type { CollectionReport, EditionReport } from "../../relayer/edition/collectionReport.ts";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import type { FeedKind } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type ClockReading, readingClock } from "../../relayer/service/serviceClock.ts";
import type { Condition } from "../../relayer/watch/condition.ts";
import { parseFault } from "../../simulator/faults.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import { timeMs } from "../message/signedPrices.ts";
import { type LogLine, recordingLog } from "../relay/recordingLog.ts";
import { ALL_FEEDS, clientOf, PRICES } from "../relay/relayFixture.ts";

/** A price service whose clock a test sets, and a journal that lives as long as the test. */
export type EditionFixture = {
  readonly service: PriceService;
  readonly journal: Journal;
  readonly lines: readonly LogLine[];
  /** Sets the clocks of service and relayer, ISO 8601. */
  at(time: string, serviceTime?: string): EditionFixture;
  /** Replaces the service's faults. */
  faults(...faults: readonly string[]): EditionFixture;
  collect(options?: CollectOptions & { context?: Partial<CollectContext> }): Promise<CollectionReport>;
  /** Requests that the service has got. */
  requests(): number;
};

export async function startEditionFixture(options: Partial<PriceServiceOptions> = {}): Promise<EditionFixture> {
  let now = 0n;
  const service = await startPriceService({
    prices: PRICES,
    secretKey: new Uint8Array(32).fill(7),
    nowMs: () => now,
    ...options,
  });
  const journal = await openJournal(":memory:");
  onTestFinished(async () => {
    await service.close();
    await journal.close();
  });
  const { log, lines } = recordingLog();
  let reading: ClockReading | undefined;
  const fetch = readingClock(
    () => now,
    (read) => {
      reading = read;
    },
  );
  const context: CollectContext = {
    client: clientOf(service, { fetch, retries: 0 }),
    journal,
    wanted: ALL_FEEDS,
    rules: {
      layout: DEFAULT_LAYOUT,
      publicKeys: [decodePublicKey(hexToBytes(service.publicKey))],
      rentalOffset: 2_000_000_000n,
      maxExpiryAfterDateMs: 72n * 3_600_000n,
      timeZone: "America/New_York",
    },
    schedule: { expression: "30 7 * * *", timeZone: "America/New_York" },
    editionLateAt: "10:00",
    nowMs: () => now,
    log,
    clockReading: () => reading,
    signerDelaySeconds: 86_400n,
  };
  const fixture: EditionFixture = {
    service,
    journal,
    lines,
    at(time, serviceTime = time) {
      now = timeMs(time);
      service.setClock({ fixedMs: timeMs(serviceTime) });
      return fixture;
    },
    faults(...faults) {
      service.setFaults(faults.map((fault) => parseFault(fault)));
      return fixture;
    },
    collect: ({ context: changes, ...collectOptions } = {}) =>
      collectEdition({ ...context, ...changes }, collectOptions),
    requests: () => Object.values(service.requests).reduce((sum, count) => sum + count, 0),
  };
  return fixture;
}

export function editionOf({ editions }: CollectionReport, kind: FeedKind = "sales"): EditionReport {
  const edition = editions.find((each) => each.kind === kind);
  if (!edition) throw new Error(`the report has no edition of ${kind} prices`);
  return edition;
}

export function kindsOf({ conditions }: CollectionReport): string[] {
  return conditions.map(({ kind, subject }) => (subject === "" ? kind : `${kind} ${subject}`));
}

export function conditionOf({ conditions }: CollectionReport, kind: Condition["kind"]): Condition {
  const condition = conditions.find((each) => each.kind === kind);
  if (!condition) throw new Error(`${kind} is not among ${conditions.map((each) => each.kind).join(", ")}`);
  return condition;
}
