import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BUILT_IN_PRICES } from "../../simulator/builtInPrices.ts";
import {
  type Fault,
  FEED_FAULTS,
  type FeedFaultKind,
  formatFault,
  parseFault,
  SERVICE_FAULTS,
  type ServiceFaultKind,
  TIMED_FAULTS,
  type TimedFaultKind,
} from "../../simulator/faults.ts";
import { startPriceService } from "../../simulator/priceService.ts";

const USA = 5826765n;
const SALES = "/v1/price_feed/latest";

const FEED_KINDS = Object.keys(FEED_FAULTS) as FeedFaultKind[];
const SERVICE_KINDS = Object.keys(SERVICE_FAULTS) as ServiceFaultKind[];
const TIMED_KINDS = Object.keys(TIMED_FAULTS) as TimedFaultKind[];

describe("a written fault", () => {
  it.each(FEED_KINDS)("%s concerns a feed or all", (kind) => {
    expect(parseFault(`${kind}:${USA}`)).toEqual({ kind, feedId: USA });
    expect(parseFault(kind)).toEqual({ kind });
  });

  it.each(SERVICE_KINDS)("%s concerns the service", (kind) => {
    expect(parseFault(kind)).toEqual({ kind });
  });

  it.each(TIMED_KINDS)("%s has milliseconds", (kind) => {
    expect(parseFault(`${kind}:250`)).toEqual({ kind, milliseconds: 250 });
  });

  it("may be limited to an endpoint, to so many requests, or to both", () => {
    expect(parseFault(` server-error@${SALES} `)).toEqual({ kind: "server-error", path: SALES });
    expect(parseFault("truncated*2")).toEqual({ kind: "truncated", times: 2 });
    expect(parseFault(`expired:${USA}@${SALES}*10`)).toEqual({ kind: "expired", feedId: USA, path: SALES, times: 10 });
    expect(parseFault("clock-skew:-7200000@/v1/market_metrics/{id}/all_cash")).toEqual({
      kind: "clock-skew",
      milliseconds: -7_200_000,
      path: "/v1/market_metrics/{id}/all_cash",
    });
  });

  it("reads back as it was written", () => {
    const limits = {
      path: fc.constantFrom(SALES, "/v1/market_metrics/{id}/all_cash", "/"),
      times: fc.integer({ min: 1, max: 1_000_000 }),
    };
    const faults: fc.Arbitrary<Fault> = fc.oneof(
      fc.record(
        { kind: fc.constantFrom(...FEED_KINDS), feedId: fc.bigInt(1n, 1_999_999_999n), ...limits },
        { requiredKeys: ["kind"] },
      ),
      fc.record({ kind: fc.constantFrom(...SERVICE_KINDS), ...limits }, { requiredKeys: ["kind"] }),
      fc.record(
        {
          kind: fc.constant<TimedFaultKind>("clock-skew"),
          milliseconds: fc.integer({ min: -31_622_400_000, max: 31_622_400_000 }),
          ...limits,
        },
        { requiredKeys: ["kind", "milliseconds"] },
      ),
      fc.record(
        { kind: fc.constant<TimedFaultKind>("latency"), milliseconds: fc.integer({ min: 0, max: 600_000 }), ...limits },
        { requiredKeys: ["kind", "milliseconds"] },
      ),
    );
    fc.assert(
      fc.property(faults, (fault) => {
        expect(parseFault(formatFault(fault))).toEqual(fault);
      }),
      { seed: 20_240_605, numRuns: 500 },
    );
  });

  it.each([
    ["", /there is no kind ""/],
    ["nonsense", /there is no kind "nonsense"/],
    ["nonsense:1", /no kind/],
    ["expired:", /"" is not a feed id/],
    ["expired:x", /"x" is not a feed id/],
    ["expired:0", /"0" is not a feed id/],
    ["expired:2000000000", /not a feed id/],
    ["expired:1:2", /more than one ":"/],
    ["slow:1", /slow concerns the whole service/],
    ["latency", /latency needs a number of milliseconds/],
    ["latency:-1", /"-1" is not a whole number of milliseconds from 0 to 600000/],
    ["latency:1.5", /"1.5" is not a whole number/],
    ["latency:600001", /from 0 to 600000/],
    ["clock-skew:", /"" is not a whole number/],
    ["clock-skew:-31622400001", /from -31622400000 to 31622400000/],
    ["truncated*", /"" is not a number of requests/],
    ["truncated*0", /"0" is not a number of requests/],
    ["truncated*1000001", /from 1 to 1000000/],
    ["truncated*1*2", /more than one "\*"/],
    ["truncated@", /"" is not the path of an endpoint/],
    ["truncated@v1", /"v1" is not the path of an endpoint/],
    ["truncated@/a@/b", /more than one "@"/],
    ["truncated*2@/v1", /"2@\/v1" is not a number of requests/],
  ])("is refused as %j", (text, problem) => {
    let error: unknown;
    try {
      parseFault(text);
    } catch (caught) {
      error = caught;
    }
    expect(error).toMatchObject({
      code: "INVALID_FAULT",
      kind: "configuration",
      message: expect.stringMatching(problem),
    });
    const { hint } = error as { hint: string };
    for (const kind of ["bad-signature", "yesterday", "latency"]) expect(hint).toContain(kind);
  });

  it("knows the configured rental offset", () => {
    expect(parseFault("expired:3000000001", 3_000_000_000n)).toEqual({ kind: "expired", feedId: 3_000_000_001n });
    expect(() => parseFault("expired:4000000000")).toThrow(/not a feed id/);
  });

  it("is refused by a service that has no endpoint at its path", async () => {
    const fault = parseFault("slow@/v1/nowhere*3");
    await expect(startPriceService({ prices: BUILT_IN_PRICES, faults: [fault] })).rejects.toMatchObject({
      code: "INVALID_FAULT",
      message: 'the fault "slow@/v1/nowhere*3" is not valid: no endpoint has the path /v1/nowhere',
    });
    const service = await startPriceService({ prices: BUILT_IN_PRICES });
    try {
      expect(() => service.setFaults([fault])).toThrow(/no endpoint/);
      expect(() => service.addFaults([fault])).toThrow(/no endpoint/);
      expect(service.faults()).toEqual([]);
    } finally {
      await service.close();
    }
  });
});
