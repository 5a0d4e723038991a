import { network } from "hardhat";
import { type Hash, type Hex, parseEventLogs } from "viem";
import { toOnChainLayout } from "../../relayer/chain/packedLayout.ts";
import { deployFactory } from "../ed25519/deployFactory.ts";
import { decodeReason, errorOf, type Refusal } from "./decodedErrors.ts";
import {
  DAY,
  HOUR,
  RENTAL_OFFSET,
  SECOND_MS,
  SIGNER,
  signedUpdate,
  type TestSigner,
  type UpdateOptions,
} from "./signedUpdate.ts";

export const LONG = process.env["HOMEPRICE_TEST_PROFILE"] === "long";

/** Block time at the start of every chain: 2026-03-02 13:00:00 UTC, half an hour after the day's prices come out. */
export const START = BigInt(Date.UTC(2026, 2, 2, 13)) / SECOND_MS;

/** Enough for every transaction of these tests, and no more than one transaction may have. */
const gas = 16_000_000n;

export type DeployOptions = {
  readonly signers?: readonly (TestSigner | { readonly signer: TestSigner; readonly validFrom: bigint })[];
  readonly signerDelay?: bigint;
  readonly rentalOffset?: bigint;
  readonly maxExpiryAfterDate?: bigint;
  readonly quarantineDelay?: bigint;
  readonly defaultBand?: bigint;
  readonly owner?: Hex;
  readonly guardian?: Hex;
  /** Default: the chain's, which deploys real verifiers. */
  readonly verifierFactory?: Hex;
};

/**
 * A chain with a verifier factory on it. Its clock stands still: transactions are mined, and reads and simulations run,
 * at `clock.now()` until the clock is set.
 */
export async function startChain({ chainId = 31_337 }: { chainId?: number } = {}) {
  const connection = await network.create({
    network: "default",
    override: {
      chainId,
      initialDate: new Date(Number((START - HOUR) * SECOND_MS)),
      allowBlocksWithSameTimestamp: true,
    },
  });
  const { viem, networkHelpers } = connection;
  const publicClient = await viem.getPublicClient();
  const [relayer, owner, guardian, stranger, other] = await viem.getWalletClients();
  if (!relayer || !owner || !guardian || !stranger || !other) throw new Error("too few accounts");
  const { factory } = await deployFactory(viem);

  let now = START;
  const clock = {
    /** Block time in seconds. */
    now: () => now,
    nowMs: () => now * SECOND_MS,
    /** Mines a block at a time that is not in the past. */
    set: async (seconds: bigint) => {
      await networkHelpers.time.setNextBlockTimestamp(seconds);
      await networkHelpers.mine();
      now = seconds;
    },
    advance: (seconds: bigint) => clock.set(now + seconds),
    /** Makes the next block one of the clock's time, too. `mined` and `deployOracle` do that by themselves. */
    hold: () => networkHelpers.time.setNextBlockTimestamp(now),
  };
  await clock.set(START);

  /** Sends a transaction in a block of the clock's time and returns its receipt. */
  const mined = async (write: () => Promise<Hash>) => {
    await clock.hold();
    const receipt = await publicClient.getTransactionReceipt({ hash: await write() });
    if (receipt.status !== "success") throw new Error("the transaction failed");
    return receipt;
  };
  type Receipt = Awaited<ReturnType<typeof mined>>;

  /**
   * Deploys verifiers ahead, as one has to: those of three keys are too much for the transaction that deploys the oracle.
   * A bad key is left for the oracle to refuse.
   */
  const deployVerifiers = async (signers: readonly TestSigner[]) => {
    for (const { publicKey } of signers) await mined(() => factory.write.deploy([publicKey.hex])).catch(() => {});
  };

  /** Deploys an oracle at the clock's time; the signers get the numbers from 1 on. */
  const deployOracle = async ({
    signers = [SIGNER],
    signerDelay = DAY,
    rentalOffset = RENTAL_OFFSET,
    maxExpiryAfterDate = 72n * HOUR,
    quarantineDelay = 6n * HOUR,
    defaultBand = 0n,
    ...roles
  }: DeployOptions = {}) => {
    const configuration = {
      owner: roles.owner ?? owner.account.address,
      guardian: roles.guardian ?? guardian.account.address,
      verifierFactory: roles.verifierFactory ?? factory.address,
      signerDelay,
      rentalOffset,
      maxExpiryAfterDate,
      quarantineDelay,
      defaultBand,
      signers: signers.map((entry) => {
        const { signer, validFrom } = "signer" in entry ? entry : { signer: entry, validFrom: 0n };
        return { publicKey: signer.publicKey.hex, messageLayout: toOnChainLayout(signer.layout), validFrom };
      }),
    };
    await deployVerifiers(signers.map((entry) => ("signer" in entry ? entry.signer : entry)));
    await clock.hold();
    const contract = await viem.deployContract("HomePriceOracle", [configuration], { gas });
    const { abi, address } = contract;

    const logsOf = ({ logs }: Receipt) =>
      parseEventLogs({ abi, logs: logs.filter((log) => log.address.toLowerCase() === address.toLowerCase()) });

    const bring = async (functionName: "updatePrices" | "tryUpdatePrices", updates: readonly Hex[]) => {
      // A call in the latest block, which is of the same time, returns what the transaction is going to.
      const { result: stored } = await contract.simulate[functionName]([updates], { gas });
      const receipt = await mined(() => contract.write[functionName]([updates], { gas }));
      const logs = logsOf(receipt);
      return {
        stored,
        receipt,
        events: logs.map(({ eventName, args }) => ({ eventName, args })),
        refused: logs.flatMap((log) =>
          log.eventName === "UpdateRefused" ? [decodeReason(log.args.index, log.args.reason)] : [],
        ),
      };
    };

    /** What an account with powers does; each sends one transaction. */
    const as = ({ account }: typeof owner) => {
      const from = { account, gas };
      const { write } = contract;
      return {
        proposeSigner: ({ publicKey, layout }: TestSigner, validFrom = 0n) =>
          mined(() => write.proposeSigner([publicKey.hex, toOnChainLayout(layout), validFrom], from)),
        cancelSigner: (signer: number) => mined(() => write.cancelSigner([signer], from)),
        retireSigner: (signer: number, retirement: bigint) =>
          mined(() => write.retireSigner([signer, retirement], from)),
        revokeSigner: (signer: number, sinceDay = 0) => mined(() => write.revokeSigner([signer, sinceDay], from)),
        setGuardian: (next: Hex) => mined(() => write.setGuardian([next], from)),
        pause: () => mined(() => write.pause(from)),
        unpause: () => mined(() => write.unpause(from)),
        pauseFeed: (feedId: bigint) => mined(() => write.pauseFeed([feedId], from)),
        setBands: (band: number, ...feedIds: bigint[]) => mined(() => write.setBands([feedIds, band], from)),
        confirmPrice: (feedId: bigint, waitingSince: bigint) =>
          mined(() => write.confirmPrice([feedId, waitingSince], from)),
        vetoPrice: (feedId: bigint, waitingSince: bigint) => mined(() => write.vetoPrice([feedId, waitingSince], from)),
        unpauseFeed: (feedId: bigint) => mined(() => write.unpauseFeed([feedId], from)),
        transferOwnership: (next: Hex) => mined(() => write.transferOwnership([next], from)),
        acceptOwnership: () => mined(() => write.acceptOwnership(from)),
      };
    };

    return {
      contract,
      address,
      as,
      owner: as(owner),
      guardian: as(guardian),
      /** The oracle's own events of a receipt, in their order. */
      eventsOf: (receipt: Receipt) => logsOf(receipt).map(({ eventName, args }) => ({ eventName, args })),
      /** A signed update; its times default to ones that are right at the clock's time. */
      signed: (options: UpdateOptions = {}) => signedUpdate(options, now),
      /** Sends updatePrices. */
      update: (...updates: Hex[]) => bring("updatePrices", updates),
      /** Sends tryUpdatePrices. */
      tryUpdate: (...updates: Hex[]) => bring("tryUpdatePrices", updates),
      /** Calls parsePrices. */
      parse: (...updates: Hex[]) => contract.read.parsePrices([updates]),
      /** Which of them updatePrices would store, without sending it. */
      wouldStore: async (...updates: Hex[]) => (await contract.simulate.updatePrices([updates], { gas })).result,
      /** The error with which a call reverts as a whole. Fails if it does not. */
      failureOf: (functionName: "updatePrices" | "tryUpdatePrices" | "parsePrices", ...updates: Hex[]) => {
        const { read, simulate } = contract;
        const call: Promise<unknown> =
          functionName === "parsePrices" ? read.parsePrices([updates]) : simulate[functionName]([updates], { gas });
        return errorOf(call);
      },
      /** Why updatePrices, or parsePrices, refuses an update, or a batch of them. Fails if it does not. */
      refusalOf: async (
        updates: Hex | readonly Hex[],
        functionName: "updatePrices" | "parsePrices" = "updatePrices",
      ): Promise<Refusal> => {
        const batch = typeof updates === "string" ? [updates] : updates;
        const call: Promise<unknown> =
          functionName === "updatePrices"
            ? contract.simulate.updatePrices([batch], { gas })
            : contract.read.parsePrices([batch]);
        const { name, args } = await errorOf(call);
        if (name !== "InvalidUpdate") throw new Error(`reverted with ${name}(${args.join(", ")})`);
        return decodeReason(args[0] as bigint, args[1] as Hex);
      },
    };
  };

  return {
    connection,
    viem,
    publicClient,
    factory,
    clock,
    mined,
    accounts: { relayer, owner, guardian, stranger, other },
    deployOracle,
    close: () => connection.close(),
  };
}

export type TestChain = Awaited<ReturnType<typeof startChain>>;
export type TestOracle = Awaited<ReturnType<TestChain["deployOracle"]>>;
