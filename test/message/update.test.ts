import { expect, test } from "vitest";
import { decodeUpdate, encodeUpdate } from "../../relayer/message/update.ts";
import { signedPrice } from "./signedPrices.ts";

const { messageBytes: message, signature, xOfR } = signedPrice();

test("138 bytes without a hint, 171 with one", () => {
  const plain = encodeUpdate(message, signature);
  expect(Buffer.from(plain)).toEqual(Buffer.concat([message, signature]));
  expect(decodeUpdate(plain)).toEqual({ message, signature });

  const hinted = encodeUpdate(message, signature, { signerNumber: 63, xOfR });
  expect(hinted).toHaveLength(171);
  expect(hinted[138]).toBe(63);
  expect(Buffer.from(hinted.subarray(139)).toString("hex")).toBe(xOfR.toString(16).padStart(64, "0"));
  expect(decodeUpdate(hinted)).toEqual({ message, signature, hint: { signerNumber: 63, xOfR } });
});

test.each([0, 137, 139, 170, 172])("%i bytes are no update", (length) => {
  expect(decodeUpdate(new Uint8Array(length))).toBeUndefined();
});

test("parts of another length are not put together", () => {
  expect(() => encodeUpdate(message.subarray(1), signature)).toThrow("message has 73 bytes");
  expect(() => encodeUpdate(message, signature.subarray(1))).toThrow("signature has 63 bytes");
});
