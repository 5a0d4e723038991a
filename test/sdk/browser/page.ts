/**
 * What a page of a protocol does: brings a price on-chain inside a call to the protocol, and reads it back. Bundled for
 * the browser by the test, which calls `pullPrice`.
 */
import { type Address, createWalletClient, defineChain, type Hex, http, parseAbi, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  decodeOracleError,
  formatPrice,
  gatewaySource,
  getFreshness,
  getPrice,
  rentalFeedId,
  salesFeedId,
  withFreshPrice,
} from "../../../sdk/index.ts";

export type PageParameters = {
  readonly rpcUrl: string;
  readonly gatewayUrl: string;
  readonly privateKey: Hex;
  readonly oracle: Address;
  readonly consumer: Address;
  readonly marketId: string;
};

export type PageResult = {
  /** Freshness of the sales feed before, and what reading it is refused with. */
  readonly before: string;
  readonly refusal: string | undefined;
  /** Updates in the first call, and in the same call again. */
  readonly brought: number;
  readonly broughtAgain: number;
  readonly status: string;
  /** Plain decimal text. */
  readonly sales: string;
  readonly rental: string;
  /** Whether the page sees anything of Node. */
  readonly hasNode: boolean;
};

const consumerAbi = parseAbi([
  "struct Price { uint64 price; uint64 publishTime; uint64 expiry; uint32 day; }",
  "function pullSeveral(bytes[] updates, uint64[] feedIds, uint32 minDay) returns (Price[])",
]);

export async function pullPrice(parameters: PageParameters): Promise<PageResult> {
  const { rpcUrl, gatewayUrl, privateKey, oracle, consumer, marketId } = parameters;
  const chain = defineChain({
    id: 31_337,
    name: "local",
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [rpcUrl] } },
  });
  const wallet = createWalletClient({
    account: privateKeyToAccount(privateKey),
    chain,
    transport: http(),
    pollingInterval: 100,
  }).extend(publicActions);

  const [sales, rental] = [salesFeedId(BigInt(marketId)), rentalFeedId(BigInt(marketId))];
  const source = gatewaySource({ url: gatewayUrl });
  const before = await getFreshness(wallet, { oracle, feedId: sales });
  const refusal = await getPrice(wallet, { oracle, feedId: sales }).then(
    () => undefined,
    (error: unknown) => decodeOracleError(error)?.name,
  );
  const prepare = () =>
    withFreshPrice(wallet, {
      oracle,
      source,
      feedIds: [sales, rental],
      call: {
        address: consumer,
        abi: consumerAbi,
        functionName: "pullSeveral",
        args: (updates) => [updates, [sales, rental], 0],
      },
    });
  const { request, updates } = await prepare();
  const { status } = await wallet.waitForTransactionReceipt({ hash: await wallet.writeContract(request) });
  return {
    before,
    refusal,
    brought: updates.length,
    broughtAgain: (await prepare()).updates.length,
    status,
    sales: formatPrice((await getPrice(wallet, { oracle, feedId: sales })).price),
    rental: formatPrice((await getPrice(wallet, { oracle, feedId: rental })).price),
    hasNode: "process" in globalThis || "Buffer" in globalThis || "require" in globalThis,
  };
}
