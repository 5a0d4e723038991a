import { onTestFinished } from "vitest";
import { openChain } from "../../relayer/chain/openChain.ts";
import type { ChainContext, WantedFeed } from "../../relayer/deliver/chainContext.ts";
import type { ChainSettings } from "../../relayer/deliver/chainSettings.ts";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import { privateKeySigner } from "../../relayer/keys/privateKeySigner.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type OracleChain, startOracleChain } from "../chain/oracleChain.ts";
import { type RpcProxy, startRpcProxy } from "../chain/rpcProxy.ts";
import { NOW_MS, priceMessage, signedPrice, timeMs } from "../message/signedPrices.ts";
import { recordingLog } from "../relay/recordingLog.ts";
import { newSenderKey } from "./senderKey.ts";

export const SALES: WantedFeed = { marketId: 5_826_765n, kind: "sales", feedId: 5_826_765n };
export const RENTAL: WantedFeed = { marketId: 5_826_765n, kind: "rental", feedId: 2_005_826_765n };

/** What deliveries work with in a test: a sender and an empty journal of its own. */
export type TestDelivery = {
  readonly context: ChainContext;
  readonly journal: Journal;
  /** Log lines so far. */
  readonly lines: readonly Record<string, unknown>[];
  /** Puts prices into the archive, as if they had just come. */
  readonly receive: (...prices: Parameters<typeof priceMessage>[0][]) => Promise<void>;
};

export type DeliverFixture = OracleChain & {
  readonly delivery: (changes?: {
    readonly settings?: Partial<ChainSettings>;
    readonly wanted?: readonly WantedFeed[];
    readonly ether?: string;
    readonly journal?: Journal;
    readonly context?: Partial<ChainContext>;
  }) => Promise<TestDelivery>;
  /** A node that misbehaves on demand in front of the chain. */
  readonly proxy: () => Promise<RpcProxy>;
  /** From here on blocks come only when they are asked for. */
  readonly stopMining: () => Promise<void>;
  readonly mine: () => Promise<void>;
};

export async function startDeliverFixture(): Promise<DeliverFixture> {
  const chain = await startOracleChain();
  const mine = async () => {
    await chain.request("evm_mine");
  };
  return {
    ...chain,
    mine,
    proxy: () => startRpcProxy(chain.rpcUrl),
    stopMining: async () => {
      await chain.request("evm_setIntervalMining", [0]);
      await chain.request("evm_setAutomine", [false]);
      onTestFinished(async () => {
        await chain.request("evm_setAutomine", [true]);
        await mine();
      });
    },
    delivery: async ({ settings: changes = {}, wanted = [SALES], ether = "10", ...rest } = {}) => {
      const journal = rest.journal ?? (await openJournal(":memory:"));
      const { log, lines } = recordingLog();
      const settings: ChainSettings = {
        name: "local",
        rpcUrls: [chain.rpcUrl],
        expectedChainId: 31_337,
        oracleAddress: chain.oracle,
        limits: { maxUpdatesPerTransaction: 100, maxGasPerTransaction: 16_000_000n },
        maxFeePerGas: undefined,
        dailyBudgetWei: undefined,
        finality: 0,
        stuckAfterMs: 90_000,
        balanceWarningDays: 0,
        requestTimeoutMs: 2_000,
        ...changes,
      };
      const context: ChainContext = {
        settings,
        access: openChain({
          rpcUrls: settings.rpcUrls,
          expectedChainId: settings.expectedChainId,
          timeoutMs: settings.requestTimeoutMs,
          log,
        }),
        oracle: chain.oracle,
        signer: privateKeySigner(await newSenderKey(chain, ether)),
        journal,
        wanted,
        signerPublicKey: undefined,
        layout: DEFAULT_LAYOUT,
        nextRunMs: () => timeMs("2026-03-05T12:30:00Z"),
        nowMs: () => BigInt(Date.now()),
        log,
        ...rest.context,
      };
      const receive: TestDelivery["receive"] = (...prices) =>
        journal.recordReceived(
          prices.map((price) => signedPrice(priceMessage(price), NOW_MS)),
          BigInt(Date.now()),
        );
      return { context, journal, lines, receive };
    },
  };
}
