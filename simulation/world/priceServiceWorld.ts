import { parseDecimal, scaleDecimal } from "../../relayer/message/decimalPrice.ts";
import { decodePublicKey, type Ed25519PublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_RENTAL_OFFSET, type Feed, feedIdOf } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type Edition, editionAt } from "../../simulator/edition.ts";
import { ENDPOINTS } from "../../simulator/endpointTable.ts";
import type { Fault } from "../../simulator/faults.ts";
import { latestSourcePrice, type PriceTable } from "../../simulator/priceTable.ts";
import { searchableMarkets } from "../../simulator/searchableMarkets.ts";
import { createServiceSigners, type ServiceSigners } from "../../simulator/serviceSigners.ts";
import { SimulatedService } from "../../simulator/simulatedService.ts";
import { Worlds } from "../../simulator/worlds.ts";
import type { SimulatedNetwork } from "../network/simulatedNetwork.ts";
import { priceServiceSite } from "./priceServiceSite.ts";
import { RecordingPriceSigner } from "./signedByService.ts";
import { API_KEY, API_ORIGIN } from "./worldSettings.ts";

/** A price as it is right, whatever the service says at the time. */
export type RightPrice = { readonly feedId: bigint; readonly day: number; readonly price: bigint };

/** The price service of a simulated world, what is wrong with it at present, and what would be right. */
export class PriceServiceWorld {
  readonly publicKey: Ed25519PublicKey;
  readonly signed: RecordingPriceSigner;
  readonly #signers: ServiceSigners;
  readonly #prices: PriceTable;
  readonly #service: SimulatedService;
  readonly #faults = new Set<Fault>();
  #outages = 0;
  /** Called for each request with the faults in force. */
  onRequest: (faults: readonly Fault[], isReachable: boolean) => void = () => undefined;

  constructor(prices: PriceTable, secretKey: Uint8Array) {
    this.#signers = createServiceSigners(secretKey);
    this.#prices = prices;
    this.publicKey = decodePublicKey(this.#signers.present.publicKey);
    this.signed = new RecordingPriceSigner(
      { layout: DEFAULT_LAYOUT, rentalOffset: DEFAULT_RENTAL_OFFSET, signers: this.#signers },
      [this.#signers.present.publicKey],
    );
    this.#service = new SimulatedService({
      prices,
      markets: searchableMarkets(prices),
      worlds: new Worlds({ seed: "0", prices, markets: undefined }),
      signer: this.signed,
      rentalOffset: DEFAULT_RENTAL_OFFSET,
      idPrefix: "svc",
      onRefusal: "omit",
      listsGeneratedMarkets: false,
      v2Answers: "items",
      unmatchedAddresses: "null id",
      endpoints: ENDPOINTS,
      apiKey: API_KEY,
      adminKey: "unused",
      faults: [],
      plan: { name: "annual" },
      slowMs: 0,
      baseMs: () => BigInt(Date.now()),
    });
  }

  joinNetwork(network: SimulatedNetwork): void {
    network.serve(
      API_ORIGIN,
      priceServiceSite({
        service: this.#service,
        endpoints: ENDPOINTS,
        isReachable: () => this.#outages === 0,
        onAnswer: () => this.onRequest([...this.#faults], this.#outages === 0),
      }),
    );
  }

  /** Lets the service do something wrong, until what is returned is called. */
  begin(fault: Fault): () => void {
    this.#faults.add(fault);
    this.#apply();
    return () => {
      this.#faults.delete(fault);
      this.#apply();
    };
  }

  /** Lets the service not answer at all. */
  beginOutage(): () => void {
    this.#outages += 1;
    return () => {
      this.#outages -= 1;
    };
  }

  /** The price of a feed in the edition that is out at an instant. */
  rightPrice(feed: Feed, timeMs: number, { isRevised }: { readonly isRevised: boolean }): RightPrice | undefined {
    const edition = editionAt(BigInt(timeMs));
    const row = latestSourcePrice(this.#prices, feed.marketId, feed.kind, edition.date);
    if (!row) return undefined;
    const price = scaleDecimal(parseDecimal(row.price), 8);
    const cents = price / 1_000_000n;
    // As the fault does it: one per cent more, at the decimals of the text.
    const revised = (cents + (cents / 100n > 0n ? cents / 100n : 1n)) * 1_000_000n;
    return { feedId: feedIdOf(feed), day: edition.day, price: isRevised ? revised : price };
  }

  /** A signed price of the edition that is out, as anybody with access to the service has it. */
  signedPrice(feed: Feed, nowMs: number): { message: Uint8Array; signature: Uint8Array } | undefined {
    const edition: Edition = editionAt(BigInt(nowMs));
    const row = latestSourcePrice(this.#prices, feed.marketId, feed.kind, edition.date);
    if (!row) return undefined;
    const signed = this.signed.sign({ ...feed, row, edition, faults: [] }, BigInt(nowMs));
    return signed.ok && signed.value.message
      ? { message: signed.value.message, signature: signed.value.signature }
      : undefined;
  }

  #apply(): void {
    this.#service.setFaults([...this.#faults]);
  }
}
