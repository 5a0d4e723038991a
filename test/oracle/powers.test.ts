import { zeroAddress } from "viem";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { dateOfDay } from "../../relayer/message/calendarDate.ts";
import { errorOf } from "./decodedErrors.ts";
import { startChain, type TestChain, type TestOracle } from "./oracleFixture.ts";
import { DAY, DAY_MS, dayOf, MARKET, testSigner } from "./signedUpdate.ts";

let chain: TestChain;
let oracle: TestOracle;
beforeAll(async () => {
  chain = await startChain();
});
afterAll(() => chain.close());
beforeEach(async () => {
  oracle = await chain.deployOracle({ defaultBand: 100n });
});

type Role = "owner" | "guardian" | "stranger";
type Powers = TestOracle["owner"];

const second = testSigner("second");
const unauthorized = { owner: "OwnableUnauthorizedAccount", guardian: "NotGuardian", both: "NotGuardianOrOwner" };

/** Every function that not everybody may call, and who may. */
const POWERS: readonly { name: string; use: (powers: Powers) => Promise<unknown>; of: readonly Role[] }[] = [
  { name: "proposeSigner", use: (powers) => powers.proposeSigner(second), of: ["owner"] },
  { name: "retireSigner", use: (powers) => powers.retireSigner(1, chain.clock.now() + DAY), of: ["owner"] },
  { name: "revokeSigner", use: (powers) => powers.revokeSigner(1), of: ["owner"] },
  { name: "setGuardian", use: (powers) => powers.setGuardian(zeroAddress), of: ["owner"] },
  { name: "unpause", use: (powers) => powers.unpause(), of: ["owner"] },
  { name: "unpauseFeed", use: (powers) => powers.unpauseFeed(MARKET), of: ["owner"] },
  { name: "transferOwnership", use: (powers) => powers.transferOwnership(zeroAddress), of: ["owner"] },
  { name: "setBands", use: (powers) => powers.setBands(0, MARKET), of: ["owner"] },
  { name: "pause", use: (powers) => powers.pause(), of: ["guardian"] },
  { name: "pauseFeed", use: (powers) => powers.pauseFeed(MARKET), of: ["guardian"] },
  { name: "confirmPrice", use: (powers) => powers.confirmPrice(MARKET, chain.clock.now()), of: ["guardian"] },
  { name: "vetoPrice", use: (powers) => powers.vetoPrice(MARKET, chain.clock.now()), of: ["guardian"] },
  { name: "cancelSigner", use: (powers) => powers.cancelSigner(2), of: ["owner", "guardian"] },
];

describe.each(POWERS)("$name", ({ use, of }) => {
  it.each(["owner", "guardian", "stranger"] as const)("by the %s", async (role) => {
    // Signer 2, which is there to be cancelled, and a price that waits to be judged.
    await oracle.owner.proposeSigner(testSigner("third"));
    const yesterday = { date: dateOfDay(dayOf(chain.clock.now()) - 1), publishTimeMs: chain.clock.nowMs() - DAY_MS };
    await oracle.update(oracle.signed({ ...yesterday, price: 1_000n }));
    await oracle.update(oracle.signed({ price: 2_000n }));
    const wallet = chain.accounts[role];
    const call = use(oracle.as(wallet));
    if (of.includes(role)) {
      await call;
      return;
    }
    const name = of.length === 2 ? unauthorized.both : unauthorized[of[0] === "owner" ? "owner" : "guardian"];
    const { name: actual, args } = await errorOf(call);
    expect({ name: actual, caller: String(args[0]).toLowerCase() }).toEqual({ name, caller: wallet.account.address });
  });
});

describe("the functions that change something", () => {
  it("are those above and the ones that are everybody's", () => {
    const everybodys = ["updatePrices", "tryUpdatePrices"];
    // Only the named successor may accept; renouncing is disabled. See below.
    const ownership = ["acceptOwnership", "renounceOwnership"];
    const changing = oracle.contract.abi.flatMap((item) =>
      item.type === "function" && ["nonpayable", "payable"].includes(item.stateMutability) ? [item.name as string] : [],
    );
    const known = [...POWERS.map(({ name }) => name), ...everybodys, ...ownership];
    expect(changing.filter((name) => !known.includes(name))).toEqual([]);
    expect(
      oracle.contract.abi.some((item) => "stateMutability" in item && (item.stateMutability as string) === "payable"),
    ).toBe(false);
  });
});

describe("ownership", () => {
  it("passes on in two steps", async () => {
    const { owner, other, stranger } = chain.accounts;
    const successor = oracle.as(other);
    await oracle.owner.transferOwnership(other.account.address);
    expect(await oracle.contract.read.owner()).toMatch(new RegExp(owner.account.address, "i"));
    expect(await errorOf(successor.unpause())).toMatchObject({ name: "OwnableUnauthorizedAccount" });
    expect(await errorOf(oracle.as(stranger).acceptOwnership())).toMatchObject({ name: "OwnableUnauthorizedAccount" });
    await successor.acceptOwnership();
    await successor.unpause();
    expect(await errorOf(oracle.owner.unpause())).toMatchObject({ name: "OwnableUnauthorizedAccount" });
  });

  it("can be taken back before it is accepted", async () => {
    const { other } = chain.accounts;
    await oracle.owner.transferOwnership(other.account.address);
    await oracle.owner.transferOwnership(zeroAddress);
    expect(await errorOf(oracle.as(other).acceptOwnership())).toMatchObject({ name: "OwnableUnauthorizedAccount" });
  });

  it("cannot be renounced", async () => {
    const { owner, stranger } = chain.accounts;
    const renounce = (wallet: typeof owner) =>
      oracle.contract.read.renounceOwnership({ account: wallet.account.address });
    expect(await errorOf(renounce(owner))).toEqual({ name: "RenouncingDisabled", args: [] });
    expect(await errorOf(renounce(stranger))).toMatchObject({ name: "OwnableUnauthorizedAccount" });
  });

  it("needs an owner from the start", async () => {
    expect(await errorOf(chain.deployOracle({ owner: zeroAddress }))).toEqual({
      name: "OwnableInvalidOwner",
      args: [zeroAddress],
    });
  });
});

describe("the guardian", () => {
  const guardianNow = async () => (await oracle.contract.read.guardian()).toLowerCase();

  it("is the constructor's at once", async () => {
    expect(await guardianNow()).toBe(chain.accounts.guardian.account.address);
  });

  it("is another one after the delay, to the second", async () => {
    const { guardian, other } = chain.accounts;
    const now = chain.clock.now();
    const receipt = await oracle.owner.setGuardian(other.account.address);
    expect(oracle.eventsOf(receipt)).toMatchObject([
      { eventName: "GuardianProposed", args: { effectiveFrom: now + DAY } },
    ]);
    await chain.clock.set(now + DAY - 1n);
    expect(await guardianNow()).toBe(guardian.account.address);
    expect(await errorOf(oracle.as(other).pause())).toMatchObject({ name: "NotGuardian" });
    await chain.clock.set(now + DAY);
    expect(await guardianNow()).toBe(other.account.address);
    expect(await errorOf(oracle.guardian.pause())).toMatchObject({ name: "NotGuardian" });
    await oracle.as(other).pause();
  });

  it("stays while a change is replaced by another, whose delay begins anew", async () => {
    const { guardian, other, stranger } = chain.accounts;
    const now = chain.clock.now();
    await oracle.owner.setGuardian(stranger.account.address);
    await chain.clock.set(now + DAY - 1n);
    await oracle.owner.setGuardian(other.account.address);
    await chain.clock.set(now + 2n * DAY - 2n);
    expect(await guardianNow()).toBe(guardian.account.address);
    await chain.clock.set(now + 2n * DAY - 1n);
    expect(await guardianNow()).toBe(other.account.address);
    await oracle.owner.setGuardian(guardian.account.address);
    expect(await guardianNow()).toBe(other.account.address);
    await chain.clock.advance(DAY);
    expect(await guardianNow()).toBe(guardian.account.address);
  });

  it("can still cancel the signer that is proposed together with its successor", async () => {
    const now = chain.clock.now();
    await oracle.owner.setGuardian(chain.accounts.stranger.account.address);
    await oracle.owner.proposeSigner(second);
    await chain.clock.set(now + DAY - 1n);
    await oracle.guardian.cancelSigner(2);
    await chain.clock.set(now + DAY);
    expect(await oracle.contract.read.usableSigners()).toEqual([1]);
  });

  it("may be nobody", async () => {
    oracle = await chain.deployOracle({ guardian: zeroAddress });
    expect(await errorOf(oracle.owner.pause())).toMatchObject({ name: "NotGuardian" });
    await oracle.owner.proposeSigner(second);
    await oracle.owner.cancelSigner(2);
  });
});
