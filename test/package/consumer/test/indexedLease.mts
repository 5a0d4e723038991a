import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import hre, { network } from "hardhat";
import { decodeOracleError, formatPrice, getPrice, rentalFeedId } from "home-price-oracle/sdk";
import { deployTestOracle } from "home-price-oracle/testing";
import { createWalletClient, custom, type Hash, type Hex, publicActions } from "viem";
import { hardhat } from "viem/chains";

const MARKET = 5_826_765n;
const sales = { marketId: MARKET } as const;
const rental = { marketId: MARKET, kind: "rental" } as const;

describe("a lease that follows the rental price", async () => {
  const connection = await network.create();
  after(() => connection.close());

  const oracle = await deployTestOracle(connection);
  const client = createWalletClient({
    account: oracle.accounts.carrier,
    chain: hardhat,
    transport: custom(connection.provider),
    pollingInterval: 50,
  }).extend(publicActions);

  async function mined(sent: Promise<Hash>) {
    const receipt = await client.waitForTransactionReceipt({ hash: await sent });
    assert.equal(receipt.status, "success");
    return receipt;
  }

  async function deployLease() {
    const { abi, bytecode } = await hre.artifacts.readArtifact("IndexedLease");
    const { contractAddress } = await mined(
      client.deployContract({ abi, bytecode, args: [oracle.address, MARKET, 1_000n] }),
    );
    assert(contractAddress);
    return { abi, address: contractAddress } as const;
  }

  /** Name of the error with which a call is reverted, the oracle's or HomePriceConsumer's. */
  async function reasonOf(call: Promise<unknown>) {
    try {
      await call;
    } catch (error) {
      return decodeOracleError(error)?.name;
    }
    assert.fail("the call succeeded");
  }

  it("takes a really signed price that is brought in the same transaction", async () => {
    const lease = await deployLease();
    const { update, day } = await oracle.sign({ ...rental, price: "2.35" });
    assert(day !== undefined);
    await mined(client.writeContract({ ...lease, functionName: "setRent", args: [[update], day] }));

    assert.equal(await client.readContract({ ...lease, functionName: "rent" }), 235_000_000_000n);
    const { price } = await getPrice(client, { oracle: oracle.address, feedId: rentalFeedId(MARKET) });
    assert.equal(formatPrice(price), "2.35");
  });

  it("takes neither yesterday's price nor a forged one", async () => {
    const lease = await deployLease();
    const setRent = (update: Hex, minDay: number) =>
      client.simulateContract({ ...lease, functionName: "setRent", args: [[update], minDay], blockTag: "pending" });

    const { update, day } = await oracle.sign(rental);
    assert(day !== undefined);
    assert.equal(await reasonOf(setRent(update, day + 1)), "PriceDayTooEarly");
    const forged = await oracle.signInvalid("InvalidSignature", rental);
    assert.equal(await reasonOf(setRent(forged.update, day + 1)), "InvalidSignature");

    await oracle.clock.nextEdition();
    const next = await oracle.sign(rental);
    await setRent(next.update, day + 1);
  });

  it("values a home by a price that somebody else has brought, while it is served", async () => {
    const { abi, bytecode } = await hre.artifacts.readArtifact("HomeValue");
    const { contractAddress } = await mined(client.deployContract({ abi, bytecode, args: [oracle.address] }));
    assert(contractAddress);
    const address = contractAddress;
    const value = () => client.readContract({ address, abi, functionName: "valueOf", args: [MARKET, 1_500n] });

    assert.equal(await reasonOf(value()), "NoPrice");
    await oracle.bring({ ...sales, price: "216.94" });
    assert.equal(await value(), 32_541_000_000_000n);
    await oracle.pause();
    assert.equal(await reasonOf(value()), "FeedPaused");
    await oracle.unpause();
    await oracle.clock.advance(90_000n);
    assert.equal(await reasonOf(value()), "PriceExpired");
  });
});
