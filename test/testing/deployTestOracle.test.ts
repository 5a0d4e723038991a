import hre, { network } from "hardhat";
import { createPublicClient, custom, type Hex, http, parseEther } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startLocalChain } from "../../relayer/local/localChain.ts";
import {
  type DevelopmentChain,
  deployTestOracle,
  INVALID_REASONS,
  type InvalidReason,
  SignedPriceFactory,
  type TestOracle,
} from "../../testing/index.ts";
import { EXPONENT_LAYOUT } from "../message/layouts.ts";
import { errorOf } from "../oracle/decodedErrors.ts";
import { FIELDS_ONLY_LAYOUT } from "./layouts.ts";

const sales = { marketId: 5_826_765n } as const;
const rental = { marketId: 5_826_765n, kind: "rental" } as const;
const SALES_ID = 5_826_765n;

let connection: Awaited<ReturnType<typeof network.create>>;
beforeAll(async () => {
  connection = await network.create();
});
afterAll(() => connection.close());

describe("on any development chain", () => {
  let server: Awaited<ReturnType<typeof startLocalChain>>;
  beforeAll(async () => {
    server = await startLocalChain(0);
  });
  afterAll(() => server.close());

  const chains: readonly (readonly [string, () => DevelopmentChain | Promise<DevelopmentChain>])[] = [
    ["a connection of Hardhat", () => connection],
    ["an EIP-1193 provider", () => connection.provider],
    ["a client of Hardhat's viem", () => connection.viem.getPublicClient()],
    ["the URL of a node", () => server.rpcUrl],
    ["a viem client of a node", () => createPublicClient({ transport: http(server.rpcUrl) })],
  ];
  it.each(chains)("%s: a really signed price is brought and read", async (_, chain) => {
    const oracle = await deployTestOracle(await chain());
    const { updates, stored, receipt } = await oracle.bring(
      { ...sales, price: "216.94" },
      { ...rental, price: "2.35" },
    );
    expect(stored).toEqual([true, true]);
    expect(receipt.status).toBe("success");
    expect(receipt.from).toBe(oracle.accounts.carrier.address.toLowerCase());

    const { price, publishTime, expiry, day } = await oracle.contract.read.salesPrice([sales.marketId]);
    expect({ price, publishTime, expiry, day }).toEqual({
      price: 21_694_000_000n,
      publishTime: updates[0]?.publishTime,
      expiry: updates[0]?.expiry,
      day: updates[0]?.day,
    });
    expect((await oracle.contract.read.rentalPrice([rental.marketId])).price).toBe(235_000_000n);
  });
});

describe("what is deployed", () => {
  it("is the oracle that `homeprice deploy` deploys, with the test signer as its only signer", async () => {
    const oracle = await deployTestOracle(connection);
    const { contract, prices, deployment, accounts } = oracle;
    const artifact = await hre.artifacts.readArtifact("HomePriceOracle");
    const code = await createPublicClientOf(connection).getCode({ address: oracle.address });
    expect(withoutImmutables(code, artifact)).toBe(withoutImmutables(artifact.deployedBytecode, artifact));
    expect(await contract.read.usableSigners()).toEqual([1]);
    expect(await contract.read.signerInfo([1])).toMatchObject({
      publicKey: prices.publicKey,
      verifier: deployment.signer.verifier,
      status: 2,
    });
    expect(await contract.read.owner()).toBe(accounts.owner.address);
    expect(await contract.read.guardian()).toBe(accounts.guardian.address);
  });

  it("is another oracle each time, with funded accounts of its own", async () => {
    const secretKey = `0x${"7a".repeat(32)}` as const;
    const [one, two] = [
      await deployTestOracle(connection, { secretKey }),
      await deployTestOracle(connection, { secretKey }),
    ];
    expect(one.address).not.toBe(two.address);
    expect(one.prices.publicKey).toBe(two.prices.publicKey);
    await one.bring(sales);
    expect(await two.contract.read.freshness([SALES_ID])).toBe(4);
    const balance = await createPublicClientOf(connection).getBalance({ address: two.accounts.carrier.address });
    expect(balance).toBe(parseEther("10000"));
  });

  it("takes what it is to be like from the options", async () => {
    const { contract, prices } = await deployTestOracle(connection, {
      rentalOffset: 1_000_000n,
      maxExpiryAfterDateSeconds: 180_000,
      quarantineDelaySeconds: 7_200,
      defaultBandBasisPoints: 250,
      signerDelaySeconds: 3_600,
    });
    expect(await contract.read.RENTAL_OFFSET()).toBe(1_000_000n);
    expect(await contract.read.MAX_EXPIRY_AFTER_DATE_MS()).toBe(180_000_000n);
    expect(await contract.read.QUARANTINE_DELAY()).toBe(7_200n);
    expect(await contract.read.DEFAULT_BAND()).toBe(250);
    expect(await contract.read.SIGNER_DELAY()).toBe(3_600n);
    expect(prices.sign({ marketId: 1n, kind: "rental" }, 1_772_456_400n).feedId).toBe(1_000_001n);
  });

  it("takes prices in other layouts", async () => {
    for (const layout of [EXPONENT_LAYOUT, FIELDS_ONLY_LAYOUT]) {
      const oracle = await deployTestOracle(connection, { layout });
      await oracle.bring({ ...sales, price: "216.94" });
      await oracle.bring({ ...sales, price: "217.5", hinted: false });
      expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(21_750_000_000n);
    }
  });

  it("goes back with a snapshot of the chain", async () => {
    const fresh = await network.create();
    const fixture = () => deployTestOracle(fresh);
    for (let round = 0; round < 2; round += 1) {
      const oracle = await fresh.networkHelpers.loadFixture(fixture);
      expect(await oracle.contract.read.freshness([SALES_ID])).toBe(4);
      await oracle.bring(sales);
      await oracle.clock.advance(86_400n);
      expect((await oracle.bring(sales)).stored).toEqual([true]);
    }
    await fresh.close();
  });
});

describe("what is signed to be refused", () => {
  let oracle: TestOracle;
  let marketId = 0n;
  beforeAll(async () => {
    oracle = await deployTestOracle(connection);
  });

  it.each(INVALID_REASONS.flatMap((reason) => [[reason, true] as const, [reason, false] as const]))(
    "is refused for %s (hinted: %s), and a good one is taken after it",
    async (reason, hinted) => {
      marketId += 1n;
      const update = await oracle.signInvalid(reason, { marketId, hinted });
      await expect(oracle.bring(update)).rejects.toMatchObject({ code: "UPDATE_REFUSED", reason });
      expect((await oracle.bring({ marketId, hinted })).stored).toEqual([true]);
    },
  );
});

describe("an oracle", () => {
  let oracle: TestOracle;
  beforeEach(async () => {
    oracle = await deployTestOracle(connection);
  });

  it("takes each of several prices of a feed, brought in one second", async () => {
    const { stored } = await oracle.bring(
      { ...sales, price: 1n },
      { ...sales, price: 2n, hinted: false },
      { ...sales, price: 3n },
    );
    expect(stored).toEqual([true, true, true]);
    expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(3n);
  });

  it("takes an update that was signed before, and passes over it the second time", async () => {
    const update = await oracle.sign({ ...sales, price: 5n });
    expect((await oracle.bring(update)).stored).toEqual([true]);
    expect((await oracle.bring(update)).stored).toEqual([false]);
  });

  it("refuses a stranger's signature", async () => {
    const stranger = new SignedPriceFactory();
    const update = stranger.sign(sales, await oracle.clock.now());
    await expect(oracle.bring(update)).rejects.toMatchObject({ reason: "InvalidSignature" });
  });

  it("is paused and unpaused, as a whole and feed by feed", async () => {
    await oracle.bring(sales, rental);
    const freshness = async () => [
      await oracle.contract.read.freshness([SALES_ID]),
      await oracle.contract.read.freshness([2_005_826_765n]),
    ];
    await oracle.pause();
    expect(await freshness()).toEqual([2, 2]);
    await oracle.unpause();
    await oracle.pauseFeed(rental);
    expect(await freshness()).toEqual([0, 2]);
    await oracle.unpauseFeed(rental);
    expect(await freshness()).toEqual([0, 0]);
  });

  it("has a price wait outside the band until the delay is over", async () => {
    await oracle.bring({ ...sales, price: "100" });
    const pending = await oracle.quarantine(sales);
    expect(pending.price.price).toBe(20_000_000_000n);
    expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(10_000_000_000n);
    await oracle.clock.setTime(pending.servedFrom);
    expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(20_000_000_000n);
  });

  it("has the guardian confirm or veto what waits", async () => {
    await oracle.bring({ ...sales, price: "100" }, { ...rental, price: "1" });
    await oracle.quarantine({ ...sales, price: "50" });
    await oracle.confirmPrice(sales);
    expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(5_000_000_000n);
    await oracle.quarantine({ ...rental, price: "3" });
    await oracle.vetoPrice(rental);
    expect((await oracle.contract.read.pendingPrice([2_005_826_765n])).waitingSince).toBe(0n);
  });

  it("says why a price does not wait", async () => {
    await expect(oracle.quarantine(sales)).rejects.toMatchObject({ code: "NOT_QUARANTINED" });
    await oracle.bring({ ...sales, price: "100" });
    await expect(oracle.quarantine({ ...sales, price: "105" })).rejects.toThrow("10500000000 is within the band");
  });

  it("sets a band", async () => {
    await oracle.setBand(25, sales);
    expect((await oracle.contract.read.bandOf([SALES_ID]))[0]).toBe(25);
  });

  it("voids what a revoked signer has signed, and takes another signer's", async () => {
    await oracle.bring(sales);
    await oracle.revokeSigner();
    expect(await errorOf(oracle.contract.read.latestPrice([SALES_ID]))).toMatchObject({ name: "PriceSignerRevoked" });

    const next = await oracle.addSigner({ layout: EXPONENT_LAYOUT });
    expect(next.signerNumber).toBe(2);
    await oracle.bring(next.sign({ ...sales, price: "7" }, await oracle.clock.now()));
    expect((await oracle.contract.read.latestPrice([SALES_ID])).price).toBe(700_000_000n);
  });

  it("goes to the time from which a further signer is usable", async () => {
    const delayed = await deployTestOracle(connection, { signerDelaySeconds: 3_600 });
    const next = await delayed.addSigner();
    expect((await delayed.bring(next.sign(sales, await delayed.clock.now()))).stored).toEqual([true]);
  });
});

describe("the clock", () => {
  let oracle: TestOracle;
  beforeAll(async () => {
    oracle = await deployTestOracle(connection);
  });

  it("goes to a time, and forward by seconds; reads are made at the new time", async () => {
    const time = (await oracle.clock.now()) + 1_000n;
    expect(await oracle.clock.setTime(time)).toBe(time);
    await oracle.bring(sales);
    const { expiry } = await oracle.contract.read.latestPrice([SALES_ID]);
    await oracle.clock.setTime(expiry - 1n);
    expect(await oracle.contract.read.freshness([SALES_ID])).toBe(0);
    await oracle.clock.advance(1n);
    expect(await oracle.contract.read.freshness([SALES_ID])).toBe(5);
  });

  it.each([
    ["winter", Date.UTC(2031, 0, 10, 3), ["2031-01-10T12:30:00Z", "2031-01-11T12:30:00Z"]],
    ["the night the clocks go forward", Date.UTC(2031, 2, 8, 13), ["2031-03-09T11:30:00Z", "2031-03-10T11:30:00Z"]],
    ["the night the clocks go back", Date.UTC(2031, 10, 1, 13), ["2031-11-02T12:30:00Z", "2031-11-03T12:30:00Z"]],
  ])("goes from edition to edition: %s", async (_, start, expected) => {
    await oracle.clock.setTime(BigInt(start) / 1_000n);
    for (const time of expected) {
      expect(await oracle.clock.nextEdition()).toBe(BigInt(Date.parse(time)) / 1_000n);
      expect((await oracle.sign(sales)).date).toBe(time.slice(0, 10));
    }
  });

  it("does not go back", async () => {
    const latest = (await createPublicClientOf(connection).getBlock()).timestamp;
    for (const seconds of [latest, latest - 1n]) {
      await expect(oracle.clock.setTime(seconds)).rejects.toMatchObject({
        code: "TIME_NOT_AHEAD",
        message: expect.stringContaining(String(seconds)),
      });
    }
  });
});

it("says what could not be deployed", async () => {
  await expect(deployTestOracle(connection, { quarantineDelaySeconds: 60 })).rejects.toMatchObject({
    code: "TRANSACTION_FAILED",
    message: expect.stringContaining("could not deploy the oracle"),
  });
});

it("what is no development chain is refused before anything is sent", async () => {
  const methods: string[] = [];
  const publicChain = {
    request: async ({ method, params }: { method: string; params?: unknown }) => {
      methods.push(method);
      if (method.startsWith("hardhat_")) throw Object.assign(new Error("the method does not exist"), { code: -32_601 });
      return await connection.provider.request({ method, params: params as readonly unknown[] });
    },
  };
  await expect(deployTestOracle(publicChain)).rejects.toMatchObject({
    code: "NOT_A_DEVELOPMENT_CHAIN",
    message: expect.stringContaining("hardhat_setBalance"),
  });
  expect(methods).not.toContain("eth_sendRawTransaction");
});

it("a layout without constant bytes has none that could be unexpected", () => {
  const factory = new SignedPriceFactory({ layout: FIELDS_ONLY_LAYOUT });
  const reason: InvalidReason = "UnexpectedConstantBytes";
  expect(() => factory.signInvalid(reason, sales, 1_772_456_400n)).toThrow(
    expect.objectContaining({ code: "NO_CONSTANT_BYTES" }),
  );
});

function createPublicClientOf({ provider }: typeof connection) {
  return createPublicClient({ transport: custom(provider) });
}

/** The code with zero wherever a constructor argument is written into it. */
function withoutImmutables(code: string | undefined, { immutableReferences }: ImmutableReferences): Hex {
  const digits = [...(code ?? "0x")];
  for (const { start, length } of Object.values(immutableReferences ?? {}).flat()) {
    digits.fill("0", 2 + 2 * start, 2 + 2 * (start + length));
  }
  return digits.join("") as Hex;
}

type ImmutableReferences = {
  immutableReferences?: Record<string, { start: number; length: number }[]> | undefined;
};
