import { type Address, bytesToHex, encodeFunctionData, hexToBytes } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { type ChainConnection, connectChain } from "../../relayer/chain/chainConnection.ts";
import { deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { createTransactionSender } from "../../relayer/deployment/transactionSender.ts";
import { LOCAL_OWNER_KEY, LOCAL_RELAYER_KEY, startLocalChain } from "../../relayer/local/localChain.ts";
import { decodePublicKey } from "../../relayer/message/ed25519.ts";
import { FEED_KINDS } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { getLatestPrices } from "../../relayer/service/getLatestPrices.ts";
import { createServiceClient } from "../../relayer/service/serviceClient.ts";
import type { PriceService } from "../../simulator/priceService.ts";

const RECEIPT_TIMEOUT_MS = 30_000;
const OWNER = privateKeyToAccount(LOCAL_OWNER_KEY);

/** A chain of its own with an oracle that believes a price service. */
export type SuppliedOracle = {
  readonly rpcUrl: string;
  readonly connection: ChainConnection;
  readonly oracle: Address;
  /** Brings the service's newest prices of markets, both kinds, in one transaction. */
  readonly supply: (marketIds: readonly bigint[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Starts a chain and deploys an oracle on it; its owner is another key than the relayer's. */
export async function startSuppliedOracle(service: PriceService, chainId?: number): Promise<SuppliedOracle> {
  const { rpcUrl, close } = await startLocalChain(0, chainId);
  const connection = await connectChain({ rpcUrls: [rpcUrl], timeoutMs: RECEIPT_TIMEOUT_MS });
  const { deployment } = await deployOracle({
    connection,
    account: OWNER,
    signerPublicKey: decodePublicKey(hexToBytes(service.publicKey)),
    layout: DEFAULT_LAYOUT,
    rentalOffset: 2_000_000_000n,
    maxExpiryAfterDateSeconds: 259_200,
    guardian: OWNER.address,
    receiptTimeoutMs: RECEIPT_TIMEOUT_MS,
  });
  const oracle = deployment.oracle as Address;
  const relayer = privateKeyToAccount(LOCAL_RELAYER_KEY);
  const send = createTransactionSender(connection, relayer, RECEIPT_TIMEOUT_MS, () => {});
  return {
    rpcUrl,
    connection,
    oracle,
    supply: async (marketIds) => {
      const updates = await newestUpdates(service, marketIds);
      const data = encodeFunctionData({ abi: homePriceOracleAbi, functionName: "updatePrices", args: [updates] });
      await send("bring prices", { to: oracle, data });
    },
    close,
  };
}

async function newestUpdates(service: PriceService, marketIds: readonly bigint[]) {
  const log = { debug: () => {}, info: () => {}, warn: () => {} };
  const client = createServiceClient({ apiUrl: service.url, apiKey: service.apiKey, idPrefix: "svc", log });
  const answers = await Promise.all(FEED_KINDS.map((kind) => getLatestPrices(client, { marketIds, kind })));
  return answers.flatMap(({ received }) =>
    received.map(({ message, signature }) => {
      if (!message) throw new Error("the service sends no message");
      return bytesToHex(encodeUpdate(message, signature));
    }),
  );
}
