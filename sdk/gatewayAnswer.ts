import * as z from "zod/mini";
import { formatDecimal } from "../relayer/message/decimalPrice.ts";
import { formatTimeMs } from "../relayer/message/timeWindows.ts";
import type { CheckedUpdate } from "./checkUpdate.ts";

/** Path of the gateway's route, below its base address; `ids` is its query: feed ids, separated by commas. */
export const GATEWAY_PATH = "/v1/updates/latest";

/** Longest update that is read, in bytes; one of another length than 138 or 171 is refused by name. */
const MAX_UPDATE_LENGTH = 1024;

/** One update as a gateway gives it. More fields may be added. */
export const gatewayUpdateSchema = z.looseObject({
  /** Market id for sales, market id + rental offset for rental. */
  feedId: z.string().check(z.regex(/^[1-9]\d{0,19}$/)),
  /** The price's date `YYYY-MM-DD`. */
  date: z.iso.date(),
  /** The signed price exactly, plain decimal text in USD. */
  price: z.string().check(z.regex(/^\d{1,80}(\.\d{1,80})?$/)),
  /** When the service published it, ISO 8601, UTC. */
  publishTime: z.iso.datetime(),
  /** Until when the oracle serves it, ISO 8601, UTC. */
  expiry: z.iso.datetime(),
  /** Number of the signer in the oracle that the gateway belongs to. */
  signer: z.int().check(z.minimum(1), z.maximum(63)),
  /** 138 or 171 bytes for updatePrices. */
  update: z.string().check(z.regex(/^0x([0-9a-fA-F]{2})*$/), z.maxLength(2 + 2 * MAX_UPDATE_LENGTH)),
});

/** The whole answer. A feed that the gateway has no price of is left out. */
export const gatewayAnswerSchema = z.looseObject({ updates: z.array(gatewayUpdateSchema) });

export type GatewayUpdate = z.output<typeof gatewayUpdateSchema>;
export type GatewayAnswer = z.output<typeof gatewayAnswerSchema>;

/** Writes the answer of a gateway that has these updates. */
export function toGatewayAnswer(updates: readonly CheckedUpdate[]): GatewayAnswer {
  return {
    updates: updates.map(({ feedId, date, signedPrice, publishTimeMs, expiryMs, signer, update }) => ({
      feedId: feedId.toString(),
      date,
      price: formatDecimal(signedPrice),
      publishTime: formatTimeMs(publishTimeMs),
      expiry: formatTimeMs(expiryMs),
      signer,
      update,
    })),
  };
}
