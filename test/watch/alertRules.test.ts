import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { CONDITION_KINDS, type ConditionKind } from "../../relayer/watch/condition.ts";
import { createMetrics } from "../../relayer/watch/metrics.ts";
import { CHECKOUT } from "../endToEnd/commandLine.ts";
import { durationMs, groupingLabelsOf, parseExpression, selectorsOf } from "./promql/expression.ts";
import { type AlertRule, firingAt, readRules, selectedBy } from "./promql/ruleFile.ts";
import { readRuleTests, seriesOf } from "./promql/ruleTestFile.ts";
import { keyOf, readScrape, type Series } from "./promql/series.ts";
import { collectionReport, conditionOf, deliveryReport, endpointAt, feedAt, START_MS, TestClock } from "./reports.ts";

const FOLDER = join(CHECKOUT, "ops", "prometheus");
const RULES = readRules(join(FOLDER, "alerts.yml"));
const RULE_TESTS = readRuleTests(join(FOLDER, "alerts.test.yml"));

/** Labels that Prometheus adds to everything it scrapes. */
const TARGET = { instance: "relayer:9464", job: "homeprice" };

/** Metrics that a relayer has, and what Prometheus has of them after some scrapes. */
class ScrapedRelayer {
  readonly clock = new TestClock();
  readonly metrics = createMetrics({
    version: "1.2.3",
    chains: [{ name: "base", dailyBudgetWei: 10n ** 18n }],
    nowMs: this.clock.nowMs,
    ofProcess: false,
  });
  readonly #series = new Map<string, { labels: Series["labels"]; points: { timeMs: number; value: number }[] }>();

  async scrape(): Promise<void> {
    for (const { labels, value } of readScrape(await this.metrics.registry.metrics(), TARGET)) {
      const key = keyOf(labels);
      const series = this.#series.get(key) ?? { labels, points: [] };
      this.#series.set(key, series);
      series.points.push({ timeMs: Number(this.clock.now), value });
    }
  }

  /** Names of the alerts whose expression selects something now, with what it selects. */
  selecting(): Map<string, readonly Readonly<Record<string, string>>[]> {
    const series = [...this.#series.values()];
    return new Map(
      RULES.map(
        (rule) => [rule.alert, selectedBy(rule, series, Number(this.clock.now)).map(({ labels }) => labels)] as const,
      ).filter(([, selected]) => selected.length > 0),
    );
  }
}

/** A relayer with which all is well, and which has every series. */
async function healthyRelayer(): Promise<ScrapedRelayer> {
  const relayer = new ScrapedRelayer();
  const { metrics } = relayer;
  metrics.recordCollection(collectionReport());
  metrics.recordDelivery(deliveryReport("base"));
  metrics.recordRun(true, START_MS + 86_400_000n);
  metrics.recordHealth(true);
  for (const scope of ["service", "chain:base", "self"]) metrics.recordConditions(scope, []);
  await relayer.scrape();
  return relayer;
}

const ruleNamed = (name: string): AlertRule => {
  const rule = RULES.find(({ alert }) => alert === name);
  if (!rule) throw new Error(`no rule ${name}`);
  return rule;
};

describe.each(RULES.map((rule) => [rule.alert, rule] as const))("%s", (_name, rule) => {
  const expression = parseExpression(rule.expr);

  it("reads only metrics and labels that the relayer has", async () => {
    const { metrics } = await healthyRelayer();
    const labelsByName = new Map(
      metrics.registry.getMetricsAsArray().map((metric) => {
        const { name, labelNames } = metric as unknown as { name: string; labelNames: readonly string[] };
        return [name, [...labelNames, ...Object.keys(TARGET)]];
      }),
    );
    const selectors = selectorsOf(expression);
    expect(selectors.length).toBeGreaterThan(0);
    const known = new Set<string>();
    for (const { name, matchers } of selectors) {
      expect([...labelsByName.keys()]).toContain(name);
      for (const label of labelsByName.get(name) ?? []) known.add(label);
      for (const { label } of matchers) expect(labelsByName.get(name)).toContain(label);
    }
    for (const label of groupingLabelsOf(expression)) expect([...known]).toContain(label);
  });

  it("compares conditions with kinds that there are", () => {
    const kinds = selectorsOf(expression)
      .filter(({ name }) => name === "homeprice_condition")
      .flatMap(({ matchers }) => matchers.filter(({ label }) => label === "kind"))
      .flatMap(({ value }) => value.split("|"));
    for (const kind of kinds) expect(CONDITION_KINDS).toContain(kind);
  });

  it("has a severity, a summary, a description and a section of the document", () => {
    expect(["warning", "critical"]).toContain(rule.labels["severity"]);
    for (const annotation of ["summary", "description", "runbook"]) expect(rule.annotations[annotation]).toBeTruthy();
    if (rule.for !== undefined) expect(durationMs(rule.for)).toBeGreaterThan(0);
  });

  it("is tested both ways in alerts.test.yml", () => {
    const cases = RULE_TESTS.tests
      .flatMap(({ alert_rule_test }) => alert_rule_test)
      .filter(({ alertname }) => alertname === rule.alert);
    expect(cases.some(({ exp_alerts }) => exp_alerts !== undefined)).toBe(true);
    expect(cases.some(({ exp_alerts }) => exp_alerts === undefined)).toBe(true);
  });
});

describe("sections that the rules name", () => {
  const document = readFileSync(join(CHECKOUT, "docs", "operators.md"), "utf8");
  const sections = [...document.matchAll(/^### (.+)$/gm)].map(([, heading = ""]) => heading);

  it.each(RULES.map(({ alert, annotations }) => [alert, annotations["runbook"] ?? ""] as const))(
    "%s",
    (alert, runbook) => {
      const [path, anchor = ""] = runbook.split("#");
      expect(path).toBe("docs/operators.md");
      // Those named after what they select lead to a section of each kind that they can select.
      const kinds = selectorsOf(parseExpression(ruleNamed(alert).expr)).flatMap(({ matchers }) =>
        matchers.filter(({ label }) => label === "kind").flatMap(({ value }) => value.split("|")),
      );
      const anchors = anchor === "{{ $labels.kind }}" ? kinds : [anchor];
      expect(anchors.length).toBeGreaterThan(0);
      for (const each of anchors) expect(sections).toContain(each);
    },
  );
});

describe("the relayer's own metrics", () => {
  it("alert nobody while all is well", async () => {
    const relayer = await healthyRelayer();
    expect(relayer.selecting()).toEqual(new Map());
  });

  it.each(
    CONDITION_KINDS.flatMap(
      (kind) =>
        [
          [kind, "warning"],
          [kind, "critical"],
        ] as const,
    ),
  )("alert by exactly one rule when %s stands as %s", async (kind: ConditionKind, severity) => {
    const relayer = await healthyRelayer();
    relayer.metrics.recordConditions("chain:base", [conditionOf(kind, { severity })]);
    relayer.clock.advance(15_000n);
    await relayer.scrape();
    const selecting = [...relayer.selecting()];
    expect(selecting.map(([, labels]) => labels)).toEqual([[{ scope: "chain:base", kind }]]);
  });

  it.each<[string, (relayer: ScrapedRelayer) => Promise<void> | void]>([
    [
      "HomePriceRunOverdue",
      ({ clock, metrics }) => {
        metrics.recordRun(true, clock.now);
        clock.advance(1_801_000n);
      },
    ],
    [
      "HomePriceNoGoodRun",
      ({ clock, metrics }) => {
        clock.advance(93_601_000n);
        metrics.recordRun(false, clock.now + 60_000n);
        metrics.recordDelivery(deliveryReport("base", { feeds: [] }));
      },
    ],
    [
      "HomePriceFeedsNotCurrent",
      ({ metrics }) => {
        metrics.recordDelivery(deliveryReport("base", { feeds: [feedAt(1n, { status: "planned" })] }));
      },
    ],
    [
      "HomePricePriceExpired",
      ({ clock, metrics }) => {
        clock.advance(90_001_000n);
        metrics.recordRun(true, clock.now + 60_000n);
      },
    ],
    [
      "HomePriceRunwayShort",
      ({ metrics }) => {
        metrics.recordDelivery(deliveryReport("base", { runwayDays: 2 }));
      },
    ],
    [
      "HomePriceNotificationsFailing",
      ({ metrics }) => {
        for (let count = 0; count < 3; count += 1) metrics.recordNotification("webhook", false);
      },
    ],
    [
      "HomePriceRpcCallsFailing",
      ({ metrics }) => {
        const endpoints = [endpointAt("https://rpc.example", { calls: 110, failures: 90 })];
        metrics.recordDelivery(deliveryReport("base", { endpoints }));
      },
    ],
  ])("alert by %s when that is so, and not before", async (name, spoil) => {
    const relayer = await healthyRelayer();
    relayer.clock.advance(15_000n);
    await relayer.scrape();
    expect([...relayer.selecting().keys()]).toEqual([]);
    await spoil(relayer);
    relayer.clock.advance(15_000n);
    await relayer.scrape();
    expect([...relayer.selecting().keys()]).toEqual([name]);
  });

  it("alert by HomePriceRelayerDown when nothing is scraped any more", async () => {
    const relayer = await healthyRelayer();
    relayer.clock.advance(5n * 60_000n);
    expect([...relayer.selecting().keys()]).toEqual(["HomePriceRelayerDown"]);
  });

  it("alert by HomePriceRestarting when the process starts again and again", () => {
    const labels = { __name__: "homeprice_start_time_seconds", ...TARGET };
    const starts = [0, 600, 1200, 1800, 2400].map((seconds) => ({ timeMs: seconds * 1000 + 1000, value: seconds }));
    const series = [{ labels, points: starts }];
    expect(selectedBy(ruleNamed("HomePriceRestarting"), series, 2_402_000)).toHaveLength(1);
    expect(selectedBy(ruleNamed("HomePriceRestarting"), series, 1_900_000)).toHaveLength(0);
  });
});

describe("alerts.test.yml, by the evaluator of these tests", () => {
  const intervalMs = durationMs(RULE_TESTS.evaluation_interval);

  it.each(RULE_TESTS.tests.map((each) => [each.name, each] as const))("%s", (_name, ruleTest) => {
    const series = seriesOf(ruleTest);
    for (const { eval_time, alertname, exp_alerts = [] } of ruleTest.alert_rule_test) {
      const fired = firingAt(ruleNamed(alertname), series, { timeMs: durationMs(eval_time), intervalMs });
      const expected = exp_alerts.map(({ exp_labels, exp_annotations }) => ({
        labels: exp_labels,
        annotations: exp_annotations,
      }));
      expect([eval_time, fired]).toEqual([eval_time, expected]);
    }
  });
});

describe("promtool", () => {
  const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
  if (!hasPromtool)
    process.stdout.write("skipped: promtool's own tests of the alert rules (promtool is not on PATH)\n");

  it.skipIf(!hasPromtool)("finds the rules well-formed, and its unit tests pass", () => {
    for (const command of [
      ["check", "rules", "alerts.yml"],
      ["test", "rules", "alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", command, { cwd: FOLDER, encoding: "utf8" });
      expect([status, status === 0 ? "" : stdout + stderr]).toEqual([0, ""]);
    }
  });
});
