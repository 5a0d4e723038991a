import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Address, type Hex, numberToHex } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { onTestFinished } from "vitest";
import type { ChainConnection } from "../../relayer/chain/chainConnection.ts";
import { inspectConfiguration } from "../../relayer/configuration/loadConfiguration.ts";
import type { CheckName } from "../../relayer/doctor/check.ts";
import { type CheckResult, type DoctorReport, runChecks } from "../../relayer/doctor/runChecks.ts";
import { LOCAL_RELAYER_KEY } from "../../relayer/local/localChain.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import { folderWith } from "../configuration/configurationFolder.ts";
import { priceTable } from "../simulator/priceServiceClient.ts";
import { startSuppliedOracle } from "./suppliedOracle.ts";

/** Two markets with both prices, and one without a rental price. */
const PRICES = priceTable(
  "sales 5826765 2024-06-05 216.94",
  "sales 5822447 2024-06-05 601.89",
  "sales 5503877 2024-06-05 344.2",
  "rental 5826765 2024-06-05 1.474",
  "rental 5822447 2024-06-05 4.517",
);

/** The market that has no rental price, nor any price on-chain. */
export const SALES_ONLY_MARKET = "5503877";

const SECRET_KEY = new Uint8Array(32).fill(7);
const API_KEY = "sim_key_that_no_output_may_show";

export type Environment = Readonly<Record<string, string>>;

/** A price service, a chain with an oracle that holds its newest prices, and a configuration that is in order. */
export type DoctorFixture = {
  /** Everything that a relayer needs. */
  readonly environment: Environment;
  readonly connection: ChainConnection;
  readonly oracle: Address;
  readonly service: PriceService;
  /** A price service of its own for a test, with the key that the oracle accepts unless another is given. */
  readonly serve: (options?: Partial<PriceServiceOptions>) => Promise<PriceService>;
  /** An address of this machine where nobody listens. */
  readonly nowhere: string;
  /** What the doctor says when the configuration is changed. */
  readonly examine: (changes?: Environment, options?: ExamineOptions) => Promise<DoctorReport>;
  /** A new sender with so much native currency, in wei. */
  readonly newSender: (balance: bigint) => Promise<Hex>;
  readonly close: () => Promise<void>;
};

export type ExamineOptions = {
  /** Text of homeprice.config.yaml. */
  readonly file?: string;
  readonly allMarkets?: boolean;
  readonly nowMs?: () => bigint;
};

export async function startDoctorFixture(): Promise<DoctorFixture> {
  const folder = await mkdtemp(join(tmpdir(), "homeprice-doctor-"));
  const startService = (options: Partial<PriceServiceOptions> = {}) =>
    startPriceService({ prices: PRICES, secretKey: SECRET_KEY, apiKey: API_KEY, ...options });
  const service = await startService();
  const chain = await startSuppliedOracle(service);
  const { connection, oracle } = chain;
  const environment: Environment = {
    HOMEPRICE_API_URL: service.url,
    HOMEPRICE_API_KEY: API_KEY,
    HOMEPRICE_RPC_URL: chain.rpcUrl,
    HOMEPRICE_CHAIN_ID: "31337",
    HOMEPRICE_ORACLE_ADDRESS: oracle,
    HOMEPRICE_PRIVATE_KEY: LOCAL_RELAYER_KEY,
    HOMEPRICE_SIGNER_PUBLIC_KEY: service.publicKey,
    HOMEPRICE_MARKETS: "5826765,5822447",
    HOMEPRICE_STORE: join(folder, "journal.sqlite"),
  };
  await chain.supply([5_826_765n, 5_822_447n]);
  return {
    environment,
    connection,
    oracle,
    service,
    nowhere: await addressOfNobody(),
    serve: async (options) => {
      const another = await startService(options);
      onTestFinished(() => another.close());
      return another;
    },
    examine: async (changes = {}, { file, allMarkets = false, nowMs = () => BigInt(Date.now()) } = {}) => {
      const changed = { ...environment, ...changes };
      const workingDirectory = await folderWith(file === undefined ? {} : { "homeprice.config.yaml": file });
      const inspected = await inspectConfiguration({ environment: changed, workingDirectory });
      return runChecks({ inspected, environment: changed, allMarkets, enoughDays: undefined, nowMs });
    },
    newSender: async (balance) => {
      const key = generatePrivateKey();
      await connection.publicClient.request({
        method: "hardhat_setBalance",
        params: [privateKeyToAccount(key).address, numberToHex(balance)],
      } as never);
      return key;
    },
    close: async () => {
      await service.close();
      await chain.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function addressOfNobody(): Promise<string> {
  const server = createServer();
  const port = await listen(server);
  server.close();
  await once(server, "close");
  return `http://127.0.0.1:${port}`;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

/** A web server that answers every request alike; closed when the test ends. */
export async function serveText(status: number, contentType: string, text: string): Promise<string> {
  const server = createServer((_request, response) => {
    response.writeHead(status, { "content-type": contentType }).end(text);
  });
  const port = await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${port}`;
}

/** Names of the checks with a status. */
export function namesOf({ checks }: DoctorReport, status: CheckResult["status"]): CheckName[] {
  return checks.filter((check) => check.status === status).map(({ name }) => name);
}

export function checkOf({ checks }: DoctorReport, name: CheckName): CheckResult {
  const check = checks.find((each) => each.name === name);
  if (!check) throw new Error(`the report has no check ${name}`);
  return check;
}

/** What the doctor says to do. */
export function hintOf(report: DoctorReport, name: CheckName): string {
  const check = checkOf(report, name);
  if (!("hint" in check)) throw new Error(`${name} is ${check.status}: ${check.found}`);
  return check.hint;
}
