import { hostOf } from "../chain/rpcError.ts";
import type { Logger } from "../logging/logger.ts";
import { type AlertMessage, alertPayloadOf } from "./alertMessage.ts";
import { type NotificationPatience, sendNotification } from "./sendNotification.ts";

export type WebhookOptions = NotificationPatience & {
  /** A secret: whoever has it can post. */
  readonly url: string;
  readonly log: Logger;
  /** Called with every outcome. */
  readonly onSent?: ((delivered: boolean) => void) | undefined;
};

/** Where alerts are posted to. */
export type Webhook = {
  /** Scheme and host. */
  readonly host: string;
  /** Posts a message. Returns whether it was taken; never throws. */
  send(message: AlertMessage): Promise<boolean>;
};

/** Posts alerts as JSON ({@link alertPayloadOf}): for programs, and as a text that chat programs show as it is. */
export function createWebhook({ url, log, onSent, ...patience }: WebhookOptions): Webhook {
  const host = hostOf(url);
  return {
    host,
    async send(message) {
      const body = JSON.stringify(alertPayloadOf(message));
      const outcome = await sendNotification({ url, method: "POST", body }, patience);
      if (!outcome.taken) log.error({ webhook: host, reason: outcome.reason }, "the webhook did not take an alert");
      onSent?.(outcome.taken);
      return outcome.taken;
    },
  };
}
