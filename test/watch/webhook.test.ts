import { describe, expect, it } from "vitest";
import { type Alert, alertPayloadOf } from "../../relayer/watch/alertMessage.ts";
import { createWebhook } from "../../relayer/watch/webhook.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { Receiver, SECRET_PATH, SECRET_QUERY } from "./receiver.ts";
import { START_MS } from "./reports.ts";

const alertOf = (changes: Partial<Alert> = {}): Alert => ({
  scope: "chain:base",
  kind: "balance-low",
  subject: "",
  severity: "warning",
  message: "the balance lasts for 3 days",
  hint: "Send some.",
  sinceMs: START_MS,
  ...changes,
});

async function start(options: { timeoutMs?: number; retries?: number; signal?: AbortSignal } = {}) {
  const receiver = await Receiver.start();
  const { log, lines, text } = recordingLog();
  const outcomes: boolean[] = [];
  const webhook = createWebhook({
    url: receiver.url,
    log,
    minRetryDelayMs: 1,
    onSent: (delivered) => outcomes.push(delivered),
    ...options,
  });
  return { receiver, webhook, lines, text, outcomes };
}

const firing = { status: "firing", alerts: [alertOf()] } as const;

describe("sending", () => {
  it("posts JSON with a text that Slack, Mattermost and Discord show", async () => {
    const { receiver, webhook, outcomes } = await start();
    expect(await webhook.send(firing)).toBe(true);
    expect(receiver.received[0]).toMatchObject({
      method: "POST",
      path: SECRET_PATH + SECRET_QUERY,
      type: "application/json",
    });
    const text =
      "[WARNING] chain:base: balance-low since 2026-03-02T12:30:00.000Z\nthe balance lasts for 3 days\nWhat to do: Send some.";
    expect(receiver.bodies[0]).toMatchObject({
      text,
      content: text,
      allowed_mentions: { parse: [] },
      status: "firing",
    });
    expect(outcomes).toEqual([true]);
  });

  it("takes Discord's answer without content for a yes", async () => {
    const { receiver, webhook } = await start();
    receiver.reaction = { status: 204 };
    expect(await webhook.send(firing)).toBe(true);
  });

  it("tries a failing receiver again, and is content when it comes back", async () => {
    const { receiver, webhook } = await start({ retries: 5 });
    receiver.reaction = { status: 503 };
    const sent = webhook.send(firing);
    await expect.poll(() => receiver.received.length).toBeGreaterThan(1);
    receiver.reaction = { status: 200 };
    expect(await sent).toBe(true);
  });

  it.each([
    ["a refusal", { status: 400, body: "no_text" }, 1, "it answered 400"],
    ["a webhook that is gone", { status: 410 }, 1, "it answered 410"],
    ["too many requests", { status: 429, headers: { "retry-after": "60" } }, 1, "it answered 429"],
    ["a server error", { status: 500 }, 2, "it answered 500"],
    [
      "a redirect, which would lose the body",
      { status: 302, headers: { location: "/elsewhere" } },
      1,
      "it answered with a redirect (302)",
    ],
    ["silence", "hang", 2, "it did not answer within 100 ms"],
  ] as const)("says no, and does not throw, after %s", async (_name, reaction, requests, reason) => {
    const { receiver, webhook, lines, outcomes } = await start({ timeoutMs: 100, retries: 1 });
    receiver.reaction = reaction;
    expect(await webhook.send(firing)).toBe(false);
    expect(receiver.received.length).toBe(requests);
    expect(outcomes).toEqual([false]);
    expect(lines).toEqual([expect.objectContaining({ webhook: receiver.host, reason })]);
  });

  it("says no when nobody listens, and its log holds no more of the URL than scheme and host", async () => {
    const { log, lines, text } = recordingLog();
    const webhook = createWebhook({ url: `http://127.0.0.1:1${SECRET_PATH}${SECRET_QUERY}`, log, retries: 0 });
    expect(await webhook.send(firing)).toBe(false);
    expect(lines.length).toBe(1);
    expect(text()).toContain("http://127.0.0.1:1");
    for (const secret of [SECRET_PATH, "s3cr3t", "T0S3cr3tPath"]) expect(text()).not.toContain(secret);
  });

  it("ends at once when it is stopped", async () => {
    const stop = new AbortController();
    const { receiver, webhook } = await start({ timeoutMs: 600_000, signal: stop.signal });
    receiver.reaction = "hang";
    const sent = webhook.send(firing);
    await expect.poll(() => receiver.received.length).toBe(1);
    stop.abort();
    expect(await sent).toBe(false);
  });
});

describe("the text", () => {
  it("calls nobody, whatever a message quotes", () => {
    const message = "the service said <!channel> @everyone @all <https://evil.example|click>";
    const { text, content, alerts } = alertPayloadOf({ status: "firing", alerts: [alertOf({ message })] });
    expect(text).not.toMatch(/[<>]|@(?!\u200b)/);
    expect(content).toBe(text);
    expect(alerts[0]?.message).toBe(message);
  });

  it("names critical alerts first", () => {
    const alerts = [alertOf(), alertOf({ severity: "critical", kind: "balance-empty" })];
    expect(alertPayloadOf({ status: "firing", alerts }).text).toMatch(/^\[CRITICAL\] chain:base: balance-empty/);
  });

  it.each([
    ["many alerts", Array.from({ length: 200 }, (_, index) => alertOf({ subject: `${index}` }))],
    ["one that is long", [alertOf({ message: "x".repeat(10_000) })]],
    ["a long one among others", [alertOf({ message: "x".repeat(10_000) }), alertOf(), alertOf()]],
  ])("stays within 2,000 characters with %s, and says what it leaves out", (_name, alerts) => {
    const payload = alertPayloadOf({ status: "firing", alerts });
    expect(payload.text.length).toBeLessThanOrEqual(2_000);
    expect(payload.text).toMatch(/…/);
    expect(payload.alerts.length).toBe(alerts.length);
    if (alerts.length > 1) {
      const shown = payload.text.match(/\[WARNING\]/g)?.length ?? 0;
      expect(payload.text).toMatch(new RegExp(`and ${alerts.length - shown} more$`));
    }
  });

  it("of one that is over says so, and not what to do", () => {
    const { text } = alertPayloadOf({ status: "resolved", alerts: [alertOf({ hint: "" })] });
    expect(text).toBe(
      "[RECOVERED] chain:base: balance-low, which stood since 2026-03-02T12:30:00.000Z\nIt was: the balance lasts for 3 days",
    );
  });
});
