import * as fc from "fast-check";
import { bytesToHex, encodeFunctionData, type Hex } from "viem";
import { afterAll, beforeAll, expect, test } from "vitest";
import { homePriceOracleAbi } from "../../relayer/chain/abi/homePriceOracleAbi.ts";
import { packLayout, toOnChainLayout } from "../../relayer/chain/packedLayout.ts";
import { readUsableSigners } from "../../relayer/chain/readSigners.ts";
import { checkSignature, decodePublicKey } from "../../relayer/message/ed25519.ts";
import { DEFAULT_LAYOUT, type MessageLayout } from "../../relayer/message/messageLayout.ts";
import { encodePriceMessage } from "../../relayer/message/priceMessage.ts";
import { encodeUpdate } from "../../relayer/message/update.ts";
import { createMessageSigner } from "../../simulator/messageSigner.ts";
import { anyLayout, EXPONENT_LAYOUT } from "../message/layouts.ts";
import { PUBLIC_KEY, priceMessage, timeMs } from "../message/signedPrices.ts";
import { contractAt, type OracleChain, startOracleChain } from "./oracleChain.ts";

let chain: OracleChain;
beforeAll(async () => {
  chain = await startOracleChain();
});
afterAll(() => chain.close());

const LAYOUTS: MessageLayout[] = [EXPONENT_LAYOUT, ...fc.sample(anyLayout, { seed: 74, numRuns: 14 })];

test("the signer that an oracle is deployed with has the packed default layout", async () => {
  const { packed, constantsHash } = packLayout(DEFAULT_LAYOUT);
  expect(await readUsableSigners(chain.connection, chain.oracle)).toEqual([
    { number: 1, publicKey: PUBLIC_KEY.hex, layout: packed, constantsHash },
  ]);
});

test.each(LAYOUTS.map((layout, index) => ({ layout, index })))(
  "layout $index: the contract stores what packLayout says, and reads what the codec writes",
  async ({ layout, index }) => {
    const signer = createMessageSigner(new Uint8Array(32).fill(100 + index));
    const publicKey = decodePublicKey(signer.publicKey);
    const proposal = [publicKey.hex, toOnChainLayout(layout), 0n] as const;
    await chain.asOwner(encodeFunctionData({ abi: homePriceOracleAbi, functionName: "proposeSigner", args: proposal }));
    const signers = await readUsableSigners(chain.connection, chain.oracle);
    const number = signers[0]?.number ?? 0;
    const { packed, constantsHash } = packLayout(layout);
    expect(signers).toHaveLength(2);
    expect(signers[0]).toEqual({ number, publicKey: publicKey.hex, layout: packed, constantsHash });

    // A price that every width and every number of decimals can hold.
    const fields = priceMessage({
      feedId: 2_005_826_765n,
      priceMantissa: 201n,
      priceExponent: "decimals" in layout.price ? -layout.price.decimals : -2,
      publishTimeMs: timeMs("2026-03-04T12:30:00Z"),
    });
    const isStorable = fields.priceExponent >= -10;
    const message = encodePriceMessage(fields, layout);
    const signature = signer.sign(message);
    const checked = checkSignature(publicKey, message, signature);
    if (!checked.valid) throw new Error(checked.reason);
    const update = bytesToHex(encodeUpdate(message, signature, { signerNumber: number, xOfR: checked.xOfR }));
    const parsing = parse(update);
    if (isStorable) {
      expect(await parsing).toEqual([
        {
          feedId: 2_005_826_765n,
          signer: number,
          price: {
            price: (201n * 10n ** 10n) / 10n ** BigInt(2 - fields.priceExponent),
            publishTime: fields.publishTimeMs / 1000n,
            expiry: fields.expiryMs / 1000n,
            day: 20_516,
          },
        },
      ]);
    } else {
      await expect(parsing).rejects.toThrow("InvalidUpdate");
    }
    await chain.asOwner(
      encodeFunctionData({ abi: homePriceOracleAbi, functionName: "revokeSigner", args: [number, 0] }),
    );
  },
);

function parse(update: Hex) {
  return chain.connection.publicClient.readContract({
    ...contractAt(chain),
    functionName: "parsePrices",
    args: [[update]],
  });
}
