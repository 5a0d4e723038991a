import { describe, expect, it } from "vitest";
import { TroubleLog } from "../../simulation/world/troubleLog.ts";

const DAY = { fromMs: 0, toMs: 1_000 };

describe("the log of troubles", () => {
  it("finds the first span that is long enough and free of every subject", () => {
    const log = new TroubleLog();
    log.add("service", { fromMs: 100, toMs: 300 });
    log.add("chain", { fromMs: 250, toMs: 500 });
    log.add("another chain", { fromMs: 0, toMs: 1_000 });
    expect(log.calmSpan(["service", "chain"], DAY, 200)).toEqual({ fromMs: 500, toMs: 1_000 });
    expect(log.calmSpan(["service", "chain"], DAY, 100)).toEqual({ fromMs: 0, toMs: 100 });
    expect(log.calmSpan(["chain"], DAY, 200)).toEqual({ fromMs: 0, toMs: 250 });
    expect(log.calmSpan(["service", "chain"], DAY, 501)).toBeUndefined();
  });

  it("takes a trouble that has not ended for one that lasts", () => {
    const log = new TroubleLog();
    const end = log.begin("relayers", 400);
    expect(log.calmSpan(["relayers"], DAY, 500)).toBeUndefined();
    end(450);
    expect(log.calmSpan(["relayers"], DAY, 500)).toEqual({ fromMs: 450, toMs: 1_000 });
  });

  it("knows of troubles that lie within longer ones", () => {
    const log = new TroubleLog();
    log.add("service", { fromMs: 0, toMs: 900 });
    log.add("service", { fromMs: 100, toMs: 200 });
    expect(log.calmSpan(["service"], DAY, 101)).toBeUndefined();
    expect(log.calmSpan(["service"], DAY, 100)).toEqual({ fromMs: 900, toMs: 1_000 });
  });
});
