import { Command } from "commander";
import { bytesToHex, hexToBytes, isHex } from "viem";
import type { Configuration } from "../../configuration/configurationSchema.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { HomePriceError } from "../../errors/HomePriceError.ts";
import { formatPrice } from "../../message/decimalPrice.ts";
import { checkSignature, decodePublicKey } from "../../message/ed25519.ts";
import { feedOf } from "../../message/feedId.ts";
import { type CheckedPriceMessage, checkPriceMessage, decodePriceMessage } from "../../message/priceMessage.ts";
import type { Refusal } from "../../message/refusal.ts";
import { checkTimeWindows, DEFAULT_WINDOWS, formatTimeMs } from "../../message/timeWindows.ts";
import { decodeUpdate, SIGNATURE_LENGTH, type UpdateHint } from "../../message/update.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, EXIT_FAILED, print } from "../output.ts";
import { discoverLayoutCommand } from "./discoverLayout.ts";

const decodeCommand = defineCommand<object>(
  "decode",
  "show what a price message, or an update, says",
  ["homeprice message decode 0xf2300b11…", "homeprice message decode f2300b11… --json"],
  (command) => command.argument("<hex>", "message (74 bytes) or update (138 or 171 bytes)"),
  async ({ json, configuration: load }, hex = "") => {
    const configuration = await load();
    const { message, hint } = splitInput(parseHex(hex));
    const fields = readMessage(message, configuration);
    const document = { ok: true, ...toDocument(fields, configuration, hint) };
    print(json, document, () => formatLines(document));
    return EXIT_DONE;
  },
);

type VerifyOptions = { readonly signature?: string; readonly publicKey?: string };

const verifyCommand = defineCommand<VerifyOptions>(
  "verify",
  "check the signature and the time windows of an update, or of a message with its signature",
  [
    "homeprice message verify 0xf2300b11… --public-key 0x…",
    "homeprice message verify 0xf2300b11… --signature 0x… --public-key 0x…",
  ],
  (command) =>
    command
      .argument("<hex>", "update (138 or 171 bytes), or message (74 bytes) with --signature")
      .option("--signature <hex>", "64-byte signature, when HEX is the message alone")
      .option("--public-key <hex>", "32-byte key (default: signerPublicKey of the configuration)"),
  async ({ options, json, configuration: load }, hex = "") => {
    const configuration = await load();
    const { message, signature, hint } = splitInput(parseHex(hex), options.signature);
    if (!signature) {
      throw new InvalidConfigurationError(
        "USAGE",
        "there is no signature to verify",
        "Give an update, or the message's signature with --signature.",
      );
    }
    const publicKey = decodePublicKey(keyBytes(options.publicKey ?? configuration.signerPublicKey));
    const fields = readMessage(message, configuration);
    const check = checkSignature(publicKey, message, signature);
    if (!check.valid) throw refusalError({ code: "InvalidSignature", message: check.reason });
    if (hint && hint.xOfR !== check.xOfR) {
      throw refusalError({ code: "InvalidSignature", message: "the update's hint is not the x of the signature's R" });
    }
    const windows = checkTimeWindows(fields, BigInt(Date.now()), {
      ...DEFAULT_WINDOWS,
      maxExpiryAfterDateMs: BigInt(configuration.maxExpiryAfterDateSeconds) * 1000n,
    });
    const document = {
      ok: windows.ok,
      ...toDocument(fields, configuration, hint),
      publicKey: publicKey.hex,
      signatureValid: true,
      ...(!windows.ok && { error: toErrorDocument(refusalError(windows.refusal)) }),
    };
    print(json, document, () =>
      [
        formatLines(toDocument(fields, configuration, hint)),
        `The signature is valid under ${publicKey.hex}.`,
        windows.ok ? "The price is within its time windows." : `But not usable now: ${windows.refusal.message}.`,
      ].join("\n"),
    );
    return windows.ok ? EXIT_DONE : EXIT_FAILED;
  },
);

export const messageCommand = new Command("message")
  .description("signed price messages")
  .addCommand(decodeCommand)
  .addCommand(verifyCommand)
  .addCommand(discoverLayoutCommand);

/** @throws InvalidConfigurationError */
function parseHex(text: string): Uint8Array {
  const hex = text.startsWith("0x") ? text : `0x${text}`;
  if (isHex(hex) && hex.length % 2 === 0) return hexToBytes(hex);
  throw new InvalidConfigurationError("USAGE", "the argument is not hex", "Give the bytes in hex, with or without 0x.");
}

function keyBytes(hex: string | undefined): Uint8Array {
  if (hex) return parseHex(hex);
  throw new InvalidConfigurationError(
    "NO_SIGNER_PUBLIC_KEY",
    "there is no public key to verify with",
    "Give --public-key, or set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY).",
  );
}

/** An update comes apart into its pieces; anything else is taken as the message alone, of whatever length. */
function splitInput(
  bytes: Uint8Array,
  signatureHex?: string,
): { message: Uint8Array; signature?: Uint8Array; hint?: UpdateHint } {
  const update = signatureHex === undefined ? decodeUpdate(bytes) : undefined;
  if (update) return update;
  if (signatureHex === undefined) return { message: bytes };
  const signature = parseHex(signatureHex);
  if (signature.length !== SIGNATURE_LENGTH) {
    throw refusalError({ code: "InvalidSignature", message: `the signature has ${signature.length} bytes, not 64` });
  }
  return { message: bytes, signature };
}

function readMessage(message: Uint8Array, { layout, rentalOffset }: Configuration): CheckedPriceMessage {
  const decoded = decodePriceMessage(message, layout);
  if (!decoded.ok) throw refusalError(decoded.refusal);
  const checked = checkPriceMessage(decoded.value, rentalOffset);
  if (!checked.ok) throw refusalError(checked.refusal);
  return checked.value;
}

function refusalError({ code, message }: Refusal): HomePriceError {
  return new HomePriceError(code, message, { hint: "The price is not to be used; get it from the service again." });
}

function toErrorDocument({ code, message, hint }: HomePriceError) {
  return { code, message, hint };
}

function toDocument(fields: CheckedPriceMessage, { rentalOffset }: Configuration, hint: UpdateHint | undefined) {
  const feed = feedOf(fields.feedId, rentalOffset);
  return {
    feedId: fields.feedId.toString(),
    marketId: feed?.marketId.toString() ?? null,
    kind: feed?.kind ?? null,
    price: formatPrice(fields.price),
    date: fields.date,
    publishTime: formatTimeMs(fields.publishTimeMs),
    expiry: formatTimeMs(fields.expiryMs),
    ...(hint && { signerNumber: hint.signerNumber, xOfR: bytesToHex(numberBytes(hint.xOfR)) }),
  };
}

function numberBytes(value: bigint): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(64, "0")}`);
}

function formatLines(document: Readonly<Record<string, unknown>>): string {
  return Object.entries(document)
    .filter(([key]) => key !== "ok")
    .map(([key, value]) => `${key.padEnd(14)}${value}`)
    .join("\n");
}
