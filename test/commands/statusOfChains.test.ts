import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { type PriceService, startPriceService } from "../../simulator/priceService.ts";
import { type SuppliedOracle, startSuppliedOracle } from "../doctor/suppliedOracle.ts";
import { runCommand } from "../endToEnd/commandLine.ts";
import { SERVER_PASSWORD, startSigningServer } from "../keys/signingServer.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";

/** A chain that no configuration of ours takes for a local one. */
const AWAY_CHAIN_ID = 31_338;

const PRICES = priceTable("sales 5826765 2024-06-05 216.94", "rental 5826765 2024-06-05 1.474");
const MARKET = 5_826_765n;

let folder: string;
let service: PriceService;
let home: SuppliedOracle;
let away: SuppliedOracle;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "homeprice-status-"));
  service = await startPriceService({ prices: PRICES, secretKey: new Uint8Array(32).fill(7) });
  home = await startSuppliedOracle(service);
  away = await startSuppliedOracle(service, AWAY_CHAIN_ID);
  await home.supply([MARKET]);
});

afterAll(async () => {
  await away.close();
  await home.close();
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

/** Both chains by name, of which only home has prices. */
function bothChains(): Record<string, string> {
  return {
    HOMEPRICE_MARKETS: MARKET.toString(),
    HOMEPRICE_CHAINS_HOME_RPC_URL: home.rpcUrl,
    HOMEPRICE_CHAINS_HOME_CHAIN_ID: "31337",
    HOMEPRICE_CHAINS_HOME_ORACLE_ADDRESS: home.oracle,
    HOMEPRICE_CHAINS_AWAY_RPC_URL: away.rpcUrl,
    HOMEPRICE_CHAINS_AWAY_CHAIN_ID: AWAY_CHAIN_ID.toString(),
    HOMEPRICE_CHAINS_AWAY_ORACLE_ADDRESS: away.oracle,
    HOMEPRICE_DEPLOYMENTS_DIRECTORY: folder,
  };
}

describe("status", () => {
  test("of several chains tells of each, and of each feed on which chain it is", async () => {
    const finished = await runCommand(["status", "--json"], bothChains());
    expect(finished.exitCode).toBe(1);
    const { ok, chains, feeds, nextEdition, ...rest } = finished.document();
    expect(rest).toEqual({});
    expect(ok).toBe(false);
    expect(nextEdition).toMatch(/^\d{4}-\d\d-\d\dT/);
    expect(chains).toEqual([
      { name: "home", chainId: 31_337, oracle: home.oracle, ok: true },
      { name: "away", chainId: AWAY_CHAIN_ID, oracle: away.oracle, ok: false },
    ]);
    expect(feeds).toMatchObject([
      { chainId: 31_337, feedId: "5826765", kind: "sales", price: "216.94", fresh: true },
      { chainId: 31_337, feedId: "2005826765", kind: "rental", price: "1.474", fresh: true },
      {
        chainId: AWAY_CHAIN_ID,
        feedId: "5826765",
        price: null,
        fresh: false,
        reason: expect.stringMatching(/^NoPrice/),
      },
      { chainId: AWAY_CHAIN_ID, feedId: "2005826765", price: null, fresh: false },
    ]);
  });

  test("of several chains, for people", async () => {
    const { stdout } = await runCommand(["status"], bothChains());
    expect(stdout).toMatch(/^home:\n.*216\.94.*\naway:\n.*NoPrice.*\nNext edition expected at/s);
  });

  test("of one of them is the document of a single chain", async () => {
    const named = await runCommand(["status", "--chain", "home", "--json"], bothChains());
    const single = await runCommand(["status", "--json"], {
      HOMEPRICE_MARKETS: MARKET.toString(),
      HOMEPRICE_RPC_URL: home.rpcUrl,
      HOMEPRICE_ORACLE_ADDRESS: home.oracle,
    });
    expect(named.exitCode).toBe(0);
    expect(named.document()).toEqual(single.document());
    expect(Object.keys(named.document())).toEqual(["ok", "chainId", "oracle", "nextEdition", "feeds"]);
  });

  test("of a chain that does not answer hides nothing of the others, and shows no address", async () => {
    const finished = await runCommand(["status", "--json"], {
      ...bothChains(),
      HOMEPRICE_CHAINS_AWAY_RPC_URL: "http://127.0.0.1:1/v2/s3cr3t",
    });
    expect(finished.exitCode).toBe(1);
    const { chains, feeds } = finished.document();
    expect(chains).toMatchObject([
      { name: "home", ok: true },
      {
        name: "away",
        chainId: AWAY_CHAIN_ID,
        oracle: away.oracle,
        ok: false,
        error: { code: "RPC_UNREACHABLE", message: expect.stringContaining("http://127.0.0.1:1") },
      },
    ]);
    expect(feeds).toHaveLength(2);
    expect(finished.stdout + finished.stderr).not.toContain("s3cr3t");
  });

  test("of a chain that there is not is a mistake", async () => {
    const finished = await runCommand(["status", "--chain", "mars", "--json"], bothChains());
    expect(finished.exitCode).toBe(2);
    expect(finished.document()).toMatchObject({
      ok: false,
      error: { code: "UNKNOWN_CHAIN", message: "there is no chain mars; the configuration has home, away" },
    });
  });
});

describe("commands that are for one chain", () => {
  const READ = ["feeds", "read", "--market", MARKET.toString(), "--kind", "sales", "--json"];

  test("read from the one that is named", async () => {
    const found = await runCommand([...READ, "--chain", "home"], bothChains());
    expect(found.exitCode).toBe(0);
    expect(found.document()).toMatchObject({ ok: true, price: "216.94" });
    expect((await runCommand([...READ, "--chain", "away"], bothChains())).exitCode).toBe(1);
  });

  test("ask for its name where there are several", async () => {
    const found = await runCommand(READ, bothChains());
    expect(found.exitCode).toBe(2);
    expect(found.document()).toMatchObject({
      error: { code: "CHAIN_NOT_NAMED", hint: "Say with --chain which of them is meant." },
    });
  });

  test("deploy to the one that is named, with its own sender", async () => {
    const signer = await startSigningServer(LOCAL_RELAYER_KEY, AWAY_CHAIN_ID);
    const environment = {
      ...bothChains(),
      HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
      // With other arguments it is another oracle.
      HOMEPRICE_DEFAULT_BAND_BASIS_POINTS: "500",
      HOMEPRICE_CHAINS_AWAY_REMOTE_SIGNER_URL: signer.url,
      HOMEPRICE_CHAINS_AWAY_SENDER_ADDRESS: signer.address,
    };
    const without = await runCommand(["deploy", "--chain", "home", "--json"], environment);
    expect(without.document()).toMatchObject({ error: { code: "NO_PRIVATE_KEY" } });
    const deployed = await runCommand(["deploy", "--chain", "away", "--json"], environment);
    expect(deployed.stderr).toContain("the sender owns the oracle");
    expect(deployed.document()).toMatchObject({ ok: true, chainId: AWAY_CHAIN_ID });
    expect(deployed.document().transactions).toHaveLength(1);
    expect(deployed.document().oracle).not.toBe(away.oracle);

    signer.misbehaviour = { error: { code: -32_000, message: "no such key" } };
    const refused = await runCommand(["deploy", "--chain", "away", "--json"], {
      ...environment,
      HOMEPRICE_DEFAULT_BAND_BASIS_POINTS: "600",
    });
    expect(refused.exitCode).toBe(1);
    expect(refused.document()).toMatchObject({ error: { code: "REMOTE_SIGNER_REFUSED" } });
    expect(deployed.stderr + refused.stdout + refused.stderr).not.toContain(SERVER_PASSWORD);
  });
});
