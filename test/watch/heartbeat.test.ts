import { describe, expect, it } from "vitest";
import { Heartbeat } from "../../relayer/watch/heartbeat.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { Receiver, SECRET_PATH, SECRET_QUERY } from "./receiver.ts";

const WELL = { ok: true, reasons: [] };
const ILL = { ok: false, reasons: ["chain:base: balance-empty: nothing is left"] };

async function start() {
  const receiver = await Receiver.start();
  const { log, lines, text } = recordingLog();
  const outcomes: boolean[] = [];
  const heartbeat = new Heartbeat({
    url: receiver.url,
    log,
    timeoutMs: 100,
    retries: 1,
    minRetryDelayMs: 1,
    onSent: (delivered) => outcomes.push(delivered),
  });
  return { receiver, heartbeat, lines, text, outcomes };
}

describe("a heartbeat", () => {
  it("is a plain GET of the whole URL", async () => {
    const { receiver, heartbeat, outcomes } = await start();
    expect(await heartbeat.beat(WELL)).toBe(true);
    expect(receiver.received).toEqual([{ method: "GET", path: SECRET_PATH + SECRET_QUERY, type: "", body: "" }]);
    expect(outcomes).toEqual([true]);
  });

  it("is held back while something is wrong, which the log says once, with the reasons", async () => {
    const { receiver, heartbeat, lines } = await start();
    expect(await heartbeat.beat(ILL)).toBe(false);
    expect(await heartbeat.beat(ILL)).toBe(false);
    expect(receiver.received).toEqual([]);
    expect(lines).toEqual([
      expect.objectContaining({ msg: "heartbeats are held back", reasons: ILL.reasons, heartbeat: receiver.host }),
    ]);
    expect(await heartbeat.beat(WELL)).toBe(true);
    expect(lines.at(-1)?.msg).toBe("heartbeats go on");
  });

  it.each([
    ["fails", { status: 500 }, 2, "it answered 500"],
    ["hangs", "hang", 2, "it did not answer within 100 ms"],
    [
      "does not know the address, and says so with status 200",
      { status: 200, body: "OK (not found)" },
      1,
      "OK (not found)",
    ],
    ["ignores it", { status: 200, body: "OK (rate limited)" }, 1, "OK (rate limited)"],
  ] as const)("does not throw when the receiver %s", async (_name, reaction, requests, reason) => {
    const { receiver, heartbeat, lines, text, outcomes } = await start();
    receiver.reaction = reaction;
    expect(await heartbeat.beat(WELL)).toBe(false);
    expect(receiver.received.length).toBe(requests);
    expect(outcomes).toEqual([false]);
    expect(lines).toEqual([expect.objectContaining({ reason, heartbeat: receiver.host })]);
    expect(text()).not.toContain("S3cr3t");
    receiver.reaction = { status: 200, body: "OK" };
    expect(await heartbeat.beat(WELL)).toBe(true);
  });
});
