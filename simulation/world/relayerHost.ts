import type { Hex } from "viem";
import type { Engine } from "../../relayer/engine/engine.ts";
import type { Journal } from "../../relayer/journal/journal.ts";
import { openJournal } from "../../relayer/journal/openJournal.ts";
import type { Logger } from "../../relayer/logging/logger.ts";
import type { Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { Actor } from "../kernel/actor.ts";
import type { CrashPoint, Kernel, OperationName } from "../kernel/kernel.ts";
import type { FaultCounts } from "../report/faultCounts.ts";
import { askedJournal } from "./askedJournal.ts";
import type { ChainWorld } from "./chainWorld.ts";
import { runRelayerProcess } from "./relayerProcess.ts";
import {
  ALERTS_ORIGIN,
  API_KEY,
  API_ORIGIN,
  ARCHIVE_DAYS,
  EDITION_LATE_AT,
  FEEDS,
  HEARTBEAT_ORIGIN,
  REQUEST_TIMEOUT_MS,
  SCHEDULE,
  STUCK_AFTER_MS,
} from "./worldSettings.ts";

/** Where the next kill strikes: at the so-many-th operation of a sort. */
export type ArmedCrash = {
  readonly matches: (operation: OperationName) => boolean;
  readonly point: CrashPoint;
  readonly downMs: number;
  left: number;
};

export type RelayerHostOptions = {
  readonly name: string;
  readonly kernel: Kernel;
  readonly counts: FaultCounts;
  readonly journalPath: string;
  readonly chains: readonly ChainWorld[];
  readonly privateKey: Hex;
  readonly signerPublicKey: Ed25519PublicKey;
  readonly engineOf: (nowMs: () => bigint, log: Logger, host: string) => Engine;
  readonly log: Logger;
  /** The process died by itself: a defect of the relayer. */
  readonly onDeath: (host: string, error: unknown) => void;
  readonly onUp: (host: string) => void;
  readonly onDown: (host: string) => void;
};

/** A machine on which a relayer runs, is killed and started again. */
export class RelayerHost {
  readonly name: string;
  readonly #options: RelayerHostOptions;
  #actor: Actor | undefined;
  #journal: Journal | undefined;
  #starts = 0;
  #armed: ArmedCrash | undefined;
  crashes = 0;

  constructor(options: RelayerHostOptions) {
    this.name = options.name;
    this.#options = options;
  }

  get isUp(): boolean {
    return this.#actor !== undefined;
  }

  isActor(actor: Actor): boolean {
    return this.#actor === actor;
  }

  /** Starts the process. */
  start(): void {
    if (this.#actor) return;
    const { kernel, onDeath, onUp } = this.#options;
    this.#starts += 1;
    const actor = new Actor(`${this.name}#${this.#starts}`);
    this.#actor = actor;
    kernel.note("starts", actor.name);
    onUp(this.name);
    void actor
      .run(() => this.#run())
      .then(
        () => onDeath(this.name, new Error("it ended")),
        (error: unknown) => onDeath(this.name, error),
      );
  }

  /** Kills the process at the next matching operation. */
  arm(crash: ArmedCrash): void {
    this.#armed = crash;
  }

  /** Whether an armed crash strikes now. */
  strikes(operation: OperationName, point: CrashPoint): boolean {
    const armed = this.#armed;
    if (!armed || armed.point !== point || !armed.matches(operation)) return false;
    armed.left -= 1;
    return armed.left <= 0;
  }

  /** What an armed crash leaves behind: a process that is down for a while. */
  struck(): void {
    const downMs = this.#armed?.downMs ?? 0;
    this.#armed = undefined;
    this.#options.counts.struck("crash");
    this.#goDown(downMs);
  }

  /** Kills the process whatever it does, and starts it again later. Answers whether there was one. */
  kill(downMs: number): boolean {
    if (!this.#actor) return false;
    this.#options.kernel.note("is killed", this.#actor.name);
    this.#actor.end();
    this.#goDown(downMs);
    return true;
  }

  async #run(): Promise<void> {
    const { kernel, journalPath, chains, name, log } = this.#options;
    const journal = await kernel.ask({
      kind: "journal",
      what: "open",
      perform: async () => {
        const opened = await openJournal(journalPath);
        this.#journal = opened;
        return opened;
      },
      describe: () => "opened",
    });
    const nowMs = () => BigInt(Date.now());
    await runRelayerProcess({
      instance: name,
      journal: askedJournal(journal, kernel),
      engine: this.#options.engineOf(nowMs, log, name),
      chains: chains.map(({ specification, oracle }) => ({
        chainId: specification.chainId,
        oracle,
        settings: {
          name: specification.name,
          rpcUrls: specification.rpcUrls,
          expectedChainId: specification.chainId,
          oracleAddress: oracle,
          limits: { maxUpdatesPerTransaction: 4, maxGasPerTransaction: 16_777_216n },
          maxFeePerGas: specification.maxFeePerGas,
          dailyBudgetWei: specification.dailyBudgetWei,
          finality: specification.finality,
          stuckAfterMs: STUCK_AFTER_MS,
          balanceWarningDays: 14,
          requestTimeoutMs: REQUEST_TIMEOUT_MS,
        },
      })),
      privateKey: this.#options.privateKey,
      wanted: FEEDS,
      signerPublicKey: this.#options.signerPublicKey,
      apiUrl: API_ORIGIN,
      apiKey: API_KEY,
      webhookUrl: `${ALERTS_ORIGIN}/hook`,
      heartbeatUrl: `${HEARTBEAT_ORIGIN}/${name}`,
      schedule: SCHEDULE,
      editionLateAt: EDITION_LATE_AT,
      archiveDays: ARCHIVE_DAYS,
      log,
      signal: new AbortController().signal,
    });
  }

  #goDown(downMs: number): void {
    const { kernel, onDown } = this.#options;
    this.crashes += 1;
    this.#actor = undefined;
    const journal = this.#journal;
    this.#journal = undefined;
    onDown(this.name);
    // What a killed process leaves open the operating system closes.
    void kernel.ask({ kind: "world", what: `close the journal of ${this.name}`, perform: () => journal?.close() });
    setTimeout(() => this.start(), downMs);
  }
}
