import { encodeFunctionData } from "viem";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { relayOnce } from "../../relayer/relay/relayOnce.ts";
import { priceMessage, receivedPrice, timeMs } from "../message/signedPrices.ts";
import { type RelayFixture, scriptedClient, startRelayFixture } from "./relayFixture.ts";

const FEED_ID = 5_826_765n;
const WAITS = "waits in quarantine, because it lies outside the feed's band; served from 2026-03-05T19:00:";

let fixture: RelayFixture;
beforeAll(async () => {
  fixture = await startRelayFixture();
  const args = [[FEED_ID], 1_000] as const;
  await fixture.asOwner(encodeFunctionData({ abi: homePriceOracleAbi, functionName: "setBands", args }));
});
afterAll(() => fixture.close());

function saying(...changes: Parameters<typeof priceMessage>) {
  return scriptedClient((kind) => (kind === "sales" ? [receivedPrice(priceMessage(...changes))] : []));
}

async function goTo(time: string) {
  vi.setSystemTime(time);
  await fixture.request("evm_mine", [Number(timeMs(time) / 1000n)]);
}

test("a wild price is sent once, told as waiting until it is served, and current from then on", async () => {
  const context = await fixture.context(saying(), { wanted: [{ marketId: FEED_ID, kind: "sales" }] });
  expect(await relayOnce(context)).toMatchObject({ ok: true, feeds: [{ status: "updated" }] });

  await goTo("2026-03-05T13:00:00Z");
  const edition = { date: "2026-03-05", price: "433.88", expiryMs: timeMs("2026-03-06T13:00:00Z") };
  const client = saying({ ...edition, publishTimeMs: timeMs("2026-03-05T12:30:00Z") });
  const waits = { status: "failed", reason: expect.stringContaining(WAITS), price: "433.88", date: "2026-03-05" };
  const first = await relayOnce({ ...context, client });
  expect(first).toMatchObject({ ok: false, feeds: [waits], transactions: [{ feeds: ["5826765"] }] });
  expect((await fixture.stored(FEED_ID))?.price).toBe(21_694_000_000n);

  const signedAnew = saying({ ...edition, publishTimeMs: timeMs("2026-03-05T12:59:00Z") });
  for (const again of [client, signedAnew]) {
    expect(await relayOnce({ ...context, client: again })).toMatchObject({
      ok: false,
      feeds: [waits],
      transactions: [],
    });
  }
  const revised = saying({ ...edition, price: "435", publishTimeMs: timeMs("2026-03-05T12:59:30Z") });
  expect(await relayOnce({ ...context, client: revised })).toMatchObject({
    ok: false,
    feeds: [{ ...waits, price: "435" }],
    transactions: [{ feeds: ["5826765"] }],
  });

  await goTo("2026-03-05T19:01:00Z");
  expect(await relayOnce({ ...context, client: revised })).toMatchObject({
    ok: true,
    feeds: [{ status: "current", price: "435" }],
    transactions: [],
  });
});
