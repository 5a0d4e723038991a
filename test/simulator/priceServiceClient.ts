import { createPublicKey, verify } from "node:crypto";
import type { FeedKind } from "../../relayer/message/feedId.ts";
import { type PriceService, type PriceServiceOptions, startPriceService } from "../../simulator/priceService.ts";
import type { PriceEntry, PriceTable } from "../../simulator/priceTable.ts";
import { buildPriceTable } from "../../simulator/priceTable.ts";

/** 10:00 in New York, two and a half hours into an edition. */
export const MORNING = Date.parse("2024-06-05T14:00:00Z");

export type ServedItem = {
  svc_id: number;
  date: string;
  price: number;
  publish_timestamp: number;
  expiry: number;
  signature: string;
  public_key: string;
  message: string;
};

export type ServedPrices = {
  items: ServedItem[];
  account: { est_credits_used: number; est_remaining_credits: number };
};

/** A table of one line per price: `sales 5826765 2024-06-05 216.94`. */
export function priceTable(...lines: readonly string[]): PriceTable {
  return buildPriceTable(
    lines.map((line): PriceEntry => {
      const [kind = "", marketId = "", date = "", price = ""] = line.split(" ");
      return { kind: kind as FeedKind, marketId: BigInt(marketId), date, price };
    }),
  );
}

/** A running service with a clock that a test can set, and the requests that tests make. */
export class ServiceUnderTest {
  readonly service: PriceService;
  readonly clock: { ms: number };

  private constructor(service: PriceService, clock: { ms: number }) {
    this.service = service;
    this.clock = clock;
  }

  static async start(options: Partial<PriceServiceOptions> & Pick<PriceServiceOptions, "prices">, ms = MORNING) {
    const clock = { ms };
    const service = await startPriceService({ nowMs: () => BigInt(clock.ms), ...options });
    return new ServiceUnderTest(service, clock);
  }

  async post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.service.url + path, {
      method: "POST",
      headers: { Authorization: this.service.apiKey, "Content-Type": "application/json", ...headers },
      body: typeof body === "string" ? body : JSON.stringify(body),
    });
  }

  async get(path: string): Promise<Response> {
    return fetch(this.service.url + path, { headers: { Authorization: this.service.apiKey } });
  }

  /** A request to the admin face, with its key. */
  async admin(method: "GET" | "PUT" | "POST" | "DELETE", path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.service.adminUrl}/${path}`, {
      method,
      headers: { Authorization: this.service.adminKey },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
  }

  latest(kind: FeedKind, ids: readonly unknown[]): Promise<Response> {
    return this.post(kind === "sales" ? "/v1/price_feed/latest" : "/v1/price_feed_rentals/latest", { svc_ids: ids });
  }

  async served(kind: FeedKind, ids: readonly unknown[]): Promise<ServedPrices> {
    const response = await this.latest(kind, ids);
    if (response.status !== 200) throw new Error(`status ${response.status}: ${await response.text()}`);
    return (await response.json()) as ServedPrices;
  }

  /** The only item of an answer that is expected to have one. */
  async servedOne(kind: FeedKind, id: number): Promise<ServedItem> {
    const { items } = await this.served(kind, [id]);
    const [item] = items;
    if (!item || items.length > 1) throw new Error(`${items.length} items`);
    return item;
  }
}

/** Whether a signature verifies, by an implementation other than the one that signs. */
export function isSignatureValid(message: Buffer, signature: Buffer, publicKey: Buffer): boolean {
  // SubjectPublicKeyInfo of an Ed25519 key (RFC 8410): a fixed head, then the key.
  const der = Buffer.concat([Buffer.from("302a300506032b6570032100", "hex"), publicKey]);
  return verify(null, message, createPublicKey({ key: der, format: "der", type: "spki" }), signature);
}

/** The same for an item in hex. */
export function isItemSigned(item: ServedItem): boolean {
  const [message, signature, publicKey] = [item.message, item.signature, item.public_key].map((hex) =>
    Buffer.from(hex, "hex"),
  );
  if (!message || !signature || !publicKey) throw new Error("the item lacks a field");
  return isSignatureValid(message, signature, publicKey);
}
