import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, createPublicClient, defineChain, http, type PublicClient } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import type { ChainConnection } from "../../relayer/chain/chainConnection.ts";
import { readPrices } from "../../relayer/chain/readPrices.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { PRICE_DECIMALS, parseDecimal, scaleDecimal } from "../../relayer/message/decimalPrice.ts";
import { FEED_KINDS, feedIdOf } from "../../relayer/message/feedId.ts";
import { priceOfMarket, writePriceFiles } from "../../scripts/benchmark/relayPriceFiles.ts";
import { CHECKOUT, type Running, readyDocument, runCommand, startProgram } from "./commandLine.ts";
import { MovableClock } from "./movableClock.ts";
import { API_KEY } from "./network.ts";

export const ENTRY = join(CHECKOUT, "relayer", "command-line", "homeprice.ts");
const CHAIN_PROGRAM = join(CHECKOUT, "scripts", "benchmark", "relayChainProcess.ts");
const SECRET_KEY = `0x${"07".repeat(32)}`;
const ADMIN_KEY = "admin_test_key";

/** Milliseconds between the blocks of the chain on which transactions have to wait for one. */
const BLOCK_INTERVAL_MS = 1_000;

/** One of the chains that are delivered to. */
export type DeliveredChain = {
  readonly name: string;
  readonly chainId: number;
  readonly rpcUrl: string;
  readonly oracle: Address;
  readonly client: PublicClient;
};

export type TwoChainNetworkOptions = {
  /** Each with a sales and a rental feed. */
  readonly markets: number;
  /** As many as the clock may be moved to. */
  readonly editions: number;
  readonly maxUpdatesPerTransaction: number;
};

/**
 * Two chains and a price service, each a process of its own, whose clocks are moved together from one edition to the
 * next. On the first chain, `alpha`, a transaction is mined as soon as it is there; on `beta` it waits for its block.
 */
export class TwoChainNetwork {
  readonly clock: MovableClock;
  readonly chains: readonly DeliveredChain[];
  /** Of the relayer. */
  readonly sender: Address = privateKeyToAddress(LOCAL_RELAYER_KEY);
  readonly feedIds: readonly bigint[];
  /** For a relayer's process; the store is for the test to add. */
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  readonly #options: TwoChainNetworkOptions;
  readonly #marketIds: readonly number[];
  readonly #firstDay: number;
  readonly #adminUrl: string;
  readonly #running: readonly Running[];

  private constructor(network: Pick<TwoChainNetwork, "clock" | "chains" | "environment" | "folder">, own: OwnParts) {
    this.clock = network.clock;
    this.chains = network.chains;
    this.environment = network.environment;
    this.folder = network.folder;
    this.#options = own.options;
    this.#marketIds = own.marketIds;
    this.#firstDay = own.firstDay;
    this.#adminUrl = own.adminUrl;
    this.#running = own.running;
    this.feedIds = FEED_KINDS.flatMap((kind) =>
      own.marketIds.map((marketId) => feedIdOf({ marketId: BigInt(marketId), kind })),
    );
  }

  static async start(options: TwoChainNetworkOptions): Promise<TwoChainNetwork> {
    const folder = await mkdtemp(join(tmpdir(), "homeprice-two-chains-"));
    const clock = new MovableClock(folder);
    const firstDay = clock.day;
    const dates = Array.from({ length: options.editions }, (_, index) => dateOfDay(firstDay + index));
    const { marketIds, paths } = await writePriceFiles(folder, { markets: options.markets, dates });
    const startWithClock = (programArguments: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
      startProgram(process.execPath, [...clock.nodeArguments, ...programArguments], {
        ...clock.environment,
        ...environment,
      });
    const running = [
      startWithClock([CHAIN_PROGRAM, "31337"]),
      startWithClock([CHAIN_PROGRAM, "31338"]),
      startWithClock([ENTRY, "simulator", "--port", "0", "--json", ...paths.flatMap((path) => ["--prices", path])], {
        HOMEPRICE_SIMULATOR_SECRET_KEY: SECRET_KEY,
        HOMEPRICE_SIMULATOR_API_KEY: API_KEY,
        HOMEPRICE_SIMULATOR_ADMIN_KEY: ADMIN_KEY,
      }),
    ];
    try {
      const [alpha, beta, service] = await Promise.all(running.map(readyDocument));
      const environment = {
        HOMEPRICE_API_URL: service.url,
        HOMEPRICE_API_KEY: API_KEY,
        HOMEPRICE_PRIVATE_KEY: LOCAL_RELAYER_KEY,
        HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
        HOMEPRICE_MARKETS: marketIds.join(","),
        HOMEPRICE_MAX_UPDATES_PER_TRANSACTION: String(options.maxUpdatesPerTransaction),
        HOMEPRICE_DEPLOYMENTS_DIRECTORY: join(folder, "deployments"),
        HOMEPRICE_CHAINS_ALPHA_RPC_URL: alpha.rpcUrl,
        HOMEPRICE_CHAINS_ALPHA_CHAIN_ID: "31337",
        HOMEPRICE_CHAINS_BETA_RPC_URL: beta.rpcUrl,
        HOMEPRICE_CHAINS_BETA_CHAIN_ID: "31338",
        // A few blocks have to lie on top of a transaction, so that a process that starts finds mined ones, too.
        HOMEPRICE_CHAINS_BETA_FINALITY: "3",
        HOMEPRICE_CHAINS_BETA_DAILY_BUDGET: "100",
      };
      const deploy = async (name: string) => {
        const deployed = await runCommand(["deploy", "--chain", name, "--json"], {
          ...environment,
          HOMEPRICE_PRIVATE_KEY: LOCAL_OWNER_KEY,
        });
        if (deployed.exitCode !== 0) throw new Error(deployed.stdout + deployed.stderr);
        return deployed.document().oracle as Address;
      };
      const chains: DeliveredChain[] = [
        {
          name: "alpha",
          chainId: 31_337,
          rpcUrl: alpha.rpcUrl,
          oracle: await deploy("alpha"),
          client: clientOf(alpha, 31_337),
        },
        {
          name: "beta",
          chainId: 31_338,
          rpcUrl: beta.rpcUrl,
          oracle: await deploy("beta"),
          client: clientOf(beta, 31_338),
        },
      ];
      const [, second] = chains;
      if (second) {
        await ask(second, "evm_setIntervalMining", [BLOCK_INTERVAL_MS]);
        await ask(second, "evm_setAutomine", [false]);
      }
      return new TwoChainNetwork(
        { clock, chains, environment, folder },
        { options, marketIds, firstDay, adminUrl: service.adminUrl, running },
      );
    } catch (error) {
      await Promise.all(running.map(({ stop }) => stop()));
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  /** Starts the daemon with a log in JSON. */
  startRelayer(environment: Readonly<Record<string, string>>): Running {
    return startProgram(process.execPath, [...this.clock.nodeArguments, ENTRY, "relay", "--json"], {
      ...this.clock.environment,
      ...this.environment,
      ...environment,
    });
  }

  /** Moves all clocks to the next edition. Nobody may be working meanwhile: they are not moved at the very same time. */
  async toNextEdition(): Promise<void> {
    await this.clock.toNextEdition();
    if (this.clock.day - this.#firstDay >= this.#options.editions) throw new RangeError("there are no more editions");
    for (const chain of this.chains) {
      await ask(chain, "evm_setNextBlockTimestamp", [Math.floor(this.clock.nowMs() / 1_000)]);
      await ask(chain, "evm_mine", []);
    }
  }

  /** Feeds of a chain that do not hold the price of the edition that is out. */
  async notCurrent(chain: DeliveredChain): Promise<bigint[]> {
    const stored = await readPrices(connectionTo(chain), chain.oracle, this.feedIds);
    const expected = this.#expectedPrices();
    return this.feedIds.filter((feedId) => {
      const held = stored.get(feedId);
      return !held || held.day !== this.clock.day || held.price !== expected.get(feedId) || isExpired(held, this.clock);
    });
  }

  async isEverythingCurrent(): Promise<boolean> {
    const lacking = await Promise.all(this.chains.map((chain) => this.notCurrent(chain)));
    return lacking.every(({ length }) => length === 0);
  }

  /** How often the price service has been asked for latest prices. */
  async pricesAsked(): Promise<number> {
    const response = await fetch(`${this.#adminUrl}/requests`, { headers: { authorization: ADMIN_KEY } });
    const { counts } = (await response.json()) as { counts: Record<string, number> };
    return Object.entries(counts).reduce((sum, [path, count]) => sum + (path.endsWith("/latest") ? count : 0), 0);
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running.map(({ stop }) => stop()));
    await rm(this.folder, { recursive: true, force: true });
  }

  #expectedPrices(): Map<bigint, bigint> {
    const edition = this.clock.day - this.#firstDay;
    return new Map(
      FEED_KINDS.flatMap((kind) =>
        this.#marketIds.map((marketId, market) => {
          const price = scaleDecimal(parseDecimal(priceOfMarket(kind, market, edition)), PRICE_DECIMALS);
          return [feedIdOf({ marketId: BigInt(marketId), kind }), price] as const;
        }),
      ),
    );
  }
}

type OwnParts = {
  readonly options: TwoChainNetworkOptions;
  readonly marketIds: readonly number[];
  readonly firstDay: number;
  readonly adminUrl: string;
  readonly running: readonly Running[];
};

function isExpired({ expiry }: { readonly expiry: bigint }, clock: MovableClock): boolean {
  return expiry * 1000n <= BigInt(clock.nowMs());
}

function clientOf({ rpcUrl }: { readonly rpcUrl: string }, chainId: number): PublicClient {
  return createPublicClient({
    chain: chainOf(rpcUrl, chainId),
    transport: http(rpcUrl, { timeout: 60_000 }),
    cacheTime: 0,
  });
}

function chainOf(rpcUrl: string, id: number) {
  return defineChain({
    id,
    name: `chain ${id}`,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
}

function connectionTo({ client, rpcUrl, chainId }: DeliveredChain): ChainConnection {
  return { chain: chainOf(rpcUrl, chainId), publicClient: client as ChainConnection["publicClient"], host: rpcUrl };
}

/** Something that only a development chain does. */
async function ask({ client }: DeliveredChain, method: string, params: readonly unknown[]): Promise<unknown> {
  return client.request({ method, params } as never);
}
