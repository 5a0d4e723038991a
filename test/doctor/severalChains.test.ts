import { privateKeyToAccount } from "viem/accounts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ALL_CHECKS } from "../../relayer/doctor/allChecks.ts";
import { formatDoctorReport } from "../../relayer/doctor/formatDoctorReport.ts";
import type { CheckResult, DoctorReport } from "../../relayer/doctor/runChecks.ts";
import { LOCAL_OWNER_KEY } from "../../relayer/local/localChain.ts";
import { type DoctorFixture, type Environment, startDoctorFixture } from "./doctorFixture.ts";
import { type SuppliedOracle, startSuppliedOracle } from "./suppliedOracle.ts";

const OTHER_CHAIN_ID = 31_338;

let fixture: DoctorFixture;
let other: SuppliedOracle;

beforeAll(async () => {
  fixture = await startDoctorFixture();
  other = await startSuppliedOracle(fixture.service, OTHER_CHAIN_ID);
  await other.supply([5_826_765n, 5_822_447n]);
});

afterAll(async () => {
  await other.close();
  await fixture.close();
});

/** What is said of two chains, home and away, when something is changed. */
function examine(changes: Environment = {}): Promise<DoctorReport> {
  const { environment } = fixture;
  return fixture.examine({
    HOMEPRICE_RPC_URL: "",
    HOMEPRICE_CHAIN_ID: "",
    HOMEPRICE_ORACLE_ADDRESS: "",
    HOMEPRICE_CHAINS_HOME_RPC_URL: String(environment["HOMEPRICE_RPC_URL"]),
    HOMEPRICE_CHAINS_HOME_CHAIN_ID: "31337",
    HOMEPRICE_CHAINS_HOME_ORACLE_ADDRESS: fixture.oracle,
    HOMEPRICE_CHAINS_AWAY_RPC_URL: other.rpcUrl,
    HOMEPRICE_CHAINS_AWAY_CHAIN_ID: String(OTHER_CHAIN_ID),
    HOMEPRICE_CHAINS_AWAY_ORACLE_ADDRESS: other.oracle,
    HOMEPRICE_WEBHOOK_URL: "https://hooks.example/1",
    ...changes,
  });
}

/** Checks with a status, each with its chain. */
function withStatus({ checks }: DoctorReport, status: CheckResult["status"]): string[] {
  return checks
    .filter((check) => check.status === status)
    .map(({ name, chain }) => (chain ? `${chain}: ${name}` : name));
}

function checkOf({ checks }: DoctorReport, name: string, chain?: string): CheckResult {
  const found = checks.find((check) => check.name === name && check.chain === chain);
  if (!found) throw new Error(`the report has no check ${name} of ${chain}`);
  return found;
}

test("what concerns a chain is looked at on each, and says on which", async () => {
  const report = await examine();
  expect(report.checks.filter(({ status }) => status !== "ok")).toEqual([]);
  const shared = ALL_CHECKS.filter(({ scope }) => scope === "shared").map(({ name }) => [name, undefined]);
  const ofChain = (chain: string) =>
    ALL_CHECKS.filter(({ scope }) => scope === "chain").map(({ name }) => [name, chain]);
  expect(report.checks.map(({ name, chain }) => [name, chain])).toEqual([
    ...shared,
    ...ofChain("home"),
    ...ofChain("away"),
  ]);
  expect(checkOf(report, "fees", "home").found).toMatch(/there is no cap$/);
  expect(checkOf(report, "fees", "away").found).toMatch(/the cap is 100 gwei$/);
  expect(checkOf(report, "budget", "away").found).toMatch(/the daily budget is 1$/);
  expect(checkOf(report, "finality", "away").found).toMatch(/^blocks up to \d+ are finalized$/);
  expect(checkOf(report, "clock").found).toMatch(/latest block of home is .*; the latest block of away is/);
  expect(formatDoctorReport(report)).toMatch(/^ok {7}away: chain-id +chain 31338$/m);
});

describe("what is wrong with one chain hides nothing of the other", () => {
  test.each<{ what: string; changes: () => Environment; failed: string[]; name: string; found: RegExp; hint: RegExp }>([
    {
      what: "an endpoint that is down",
      changes: () => ({ HOMEPRICE_CHAINS_AWAY_RPC_URL: `${fixture.nowhere}/v2/sim_key_that_no_output_may_show` }),
      failed: ["away: rpc"],
      name: "rpc",
      found: /http:\/\/127\.0\.0\.1:\d+ does not answer/,
      hint: /chains\.away\.rpcUrl \(HOMEPRICE_CHAINS_AWAY_RPC_URL\)/,
    },
    {
      what: "no endpoint",
      changes: () => ({ HOMEPRICE_CHAINS_AWAY_RPC_URL: "" }),
      failed: ["away: rpc"],
      name: "rpc",
      found: /no RPC endpoint is configured for chain away/,
      hint: /chains\.away\.rpcUrl \(HOMEPRICE_CHAINS_AWAY_RPC_URL\)/,
    },
    {
      what: "endpoints of two chains",
      changes: () => ({
        HOMEPRICE_CHAINS_AWAY_RPC_URL: `${other.rpcUrl},${fixture.environment["HOMEPRICE_RPC_URL"]}`,
      }),
      failed: ["away: chain-id"],
      name: "chain-id",
      found: /^1\. \S+ is chain 31338; 2\. \S+ is chain 31337; the configuration says 31338$/,
      hint: /chains\.away\.chainId \(HOMEPRICE_CHAINS_AWAY_CHAIN_ID\)/,
    },
    {
      what: "an address without a contract",
      changes: () => ({ HOMEPRICE_CHAINS_AWAY_ORACLE_ADDRESS: `0x${"12".repeat(20)}` }),
      failed: ["away: oracle"],
      name: "oracle",
      found: /no contract at 0x1212.* on chain 31338/,
      hint: /chains\.away\.oracleAddress \(HOMEPRICE_CHAINS_AWAY_ORACLE_ADDRESS\)/,
    },
    {
      what: "fees above the cap",
      changes: () => ({ HOMEPRICE_CHAINS_AWAY_MAX_FEE_PER_GAS_GWEI: "0.000001" }),
      failed: ["away: fees"],
      name: "fees",
      found: /the cap is 0\.000001 gwei/,
      hint: /chains\.away\.maxFeePerGasGwei \(HOMEPRICE_CHAINS_AWAY_MAX_FEE_PER_GAS_GWEI\)/,
    },
    {
      what: "no key",
      changes: () => ({
        HOMEPRICE_PRIVATE_KEY: "",
        HOMEPRICE_CHAINS_HOME_PRIVATE_KEY: String(fixture.environment["HOMEPRICE_PRIVATE_KEY"]),
      }),
      failed: ["away: sender-key"],
      name: "sender-key",
      found: /no key to send transactions with on chain away/,
      hint: /HOMEPRICE_CHAINS_AWAY_PRIVATE_KEY/,
    },
  ])("$what", async ({ changes, failed, name, found, hint }) => {
    const report = await examine(changes());
    expect(withStatus(report, "failed")).toEqual(failed);
    expect(withStatus(report, "warning")).toEqual([]);
    expect(withStatus(report, "skipped").filter((each) => !each.startsWith("away: "))).toEqual([]);
    const check = checkOf(report, name, "away");
    expect(check.found).toMatch(found);
    expect("hint" in check && check.hint).toMatch(hint);
    expect(JSON.stringify(report)).not.toContain("sim_key_that_no_output_may_show");
  });

  test("a value that cannot be used: what depends on it is not looked at there", async () => {
    const report = await examine({ HOMEPRICE_CHAINS_AWAY_DAILY_BUDGET: "nothing" });
    expect(withStatus(report, "failed")).toEqual(["configuration"]);
    expect(withStatus(report, "skipped")).toEqual(["away: budget"]);
    expect(checkOf(report, "configuration").found).toMatch(
      /^HOMEPRICE_CHAINS_AWAY_DAILY_BUDGET: must be more than zero/,
    );
  });
});

describe("an oracle's owner who sends as well", () => {
  test("is warned of, where the chain is no local one", async () => {
    const report = await examine({ HOMEPRICE_PRIVATE_KEY: LOCAL_OWNER_KEY });
    expect(withStatus(report, "failed")).toEqual([]);
    expect(withStatus(report, "warning")).toEqual(["away: owner"]);
    const check = checkOf(report, "owner", "away");
    expect(check.found).toMatch(/^the sender 0xf39F\w+ owns the oracle$/);
    expect("hint" in check && check.hint).toMatch(/Send with another key.*transferOwnership/);
  });

  test("is warned of before the next oracle is deployed", async () => {
    const { address } = privateKeyToAccount("0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d");
    const report = await examine({ HOMEPRICE_OWNER: address });
    expect(withStatus(report, "warning")).toEqual(["away: owner"]);
    expect(checkOf(report, "owner", "away").found).toMatch(/is the owner of oracles to be deployed$/);
  });
});

test("that nobody is told of anything is warned of, where a chain is no local one", async () => {
  const report = await examine({ HOMEPRICE_WEBHOOK_URL: "" });
  expect(withStatus(report, "warning")).toEqual(["alerts"]);
  const check = checkOf(report, "alerts");
  expect(check.found).toMatch(/nobody is told of anything/);
  expect("hint" in check && check.hint).toMatch(/HOMEPRICE_WEBHOOK_URL.*HOMEPRICE_HEARTBEAT_URL.*HOMEPRICE_LISTEN/);
});
