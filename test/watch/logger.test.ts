import { describe, expect, it } from "vitest";
import { HiddenSecrets } from "../../relayer/logging/hiddenSecrets.ts";
import { createLogger, LOG_FORMATS, logOfChain } from "../../relayer/logging/logger.ts";

function logTo(options: Parameters<typeof createLogger>[0] = {}) {
  const lines: string[] = [];
  const log = createLogger({ ...options, destination: { write: (line: string) => void lines.push(line) } });
  return { log, text: () => lines.join("") };
}

describe("formats", () => {
  it("JSON is one object a line, with the chain of the log that wrote it", () => {
    const { log, text } = logTo({ format: "json" });
    logOfChain(log, "base").warn({ feeds: 3 }, "not current");
    const line = JSON.parse(text()) as Record<string, unknown>;
    expect(line).toMatchObject({ level: 40, chain: "base", feeds: 3, msg: "not current" });
    expect(text().endsWith("\n")).toBe(true);
  });

  it("lines for people say the same", () => {
    const { log, text } = logTo({ format: "pretty" });
    logOfChain(log, "base").warn({ feeds: 3 }, "not current");
    expect(text()).toMatch(/WARN: not current \{"chain":"base","feeds":3\}/);
  });
});

describe.each(LOG_FORMATS)("secrets in %s lines", (format) => {
  const WEBHOOK = "https://hooks.example/services/T01234/B05678/aBcDeFgH?auth=x%2Fy%2Fz123456";
  const HEARTBEAT = "https://ping.example/5f1c9b4a-1111-2222-3333-444455556666";
  const API_KEY = 'k3y-with-"quotes"-and/slashes+=';
  const PRIVATE_KEY = `0x${"5e".repeat(32)}`;
  const STORE = "postgres://relayer:p%40ssw0rd-of-db@db.example/journal";

  it("are replaced wherever they stand, added before the log was made or after", () => {
    const secrets = new HiddenSecrets();
    secrets.add(WEBHOOK);
    const { log, text } = logTo({ format, secrets, level: "debug" });
    secrets.add(HEARTBEAT, API_KEY, PRIVATE_KEY, STORE, undefined);

    log.error(new Error(`connect ECONNREFUSED ${WEBHOOK}`), "sending failed");
    log.warn({ url: HEARTBEAT, nested: { deep: [API_KEY] } }, `pinging ${HEARTBEAT}`);
    log.info({ key: PRIVATE_KEY }, `without prefix: ${PRIVATE_KEY.slice(2)}`);
    log.debug(`encoded: ${encodeURIComponent(API_KEY)}, path only: ${new URL(WEBHOOK).pathname}`);
    logOfChain(log, API_KEY).info(`password p@ssw0rd-of-db or p%40ssw0rd-of-db in ${STORE}`);

    const written = text();
    expect(written.match(/\[secret\]/g)?.length).toBeGreaterThanOrEqual(9);
    for (const secret of ["B05678", "aBcDeFgH", "x%2Fy", "5f1c9b4a", "quotes", "5e5e5e", "ssw0rd"]) {
      expect(written).not.toContain(secret);
    }
    expect(written).toContain("sending failed");
  });

  it("do not break the lines, nor hide words that are none", () => {
    const secrets = new HiddenSecrets();
    secrets.add("", "abc", "https://hooks.example", "https://hooks.example/");
    const { log, text } = logTo({ format, secrets });
    log.info({ webhook: "https://hooks.example" }, "abc: the webhook at / was reached");
    expect(text()).toContain("abc: the webhook at / was reached");
    expect(text()).toContain("https://hooks.example");
    if (format === "json") expect(() => JSON.parse(text())).not.toThrow();
  });
});
