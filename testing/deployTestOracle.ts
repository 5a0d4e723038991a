import { deployOracle } from "../relayer/deployment/deployOracle.ts";
import { SignedPriceFactory, type SignedPriceFactoryOptions } from "./signedPriceFactory.ts";
import { type DevelopmentChain, openTestChain } from "./testChain.ts";
import { createTestOracle, type TestOracle } from "./testOracle.ts";

export type TestOracleOptions = Omit<SignedPriceFactoryOptions, "signerNumber"> & {
  /** Seconds between the proposal of a signer and its use. Default: 0 on chain id 31337, elsewhere 24 hours. */
  readonly signerDelaySeconds?: number | undefined;
  /** Seconds that a price outside its feed's band waits, 1 to 48 hours. Default: 6 hours. */
  readonly quarantineDelaySeconds?: number | undefined;
  /** The band of feeds for which none is set, basis points a day. Default: 0, none. */
  readonly defaultBandBasisPoints?: number | undefined;
};

const RECEIPT_TIMEOUT_MS = 60_000;

/**
 * Deploys the oracle on a development chain: the real one, with a real verifier of the test signer's key, by the code
 * that deploys it on public chains. Only who signs is different. Each call deploys another oracle, with an owner and a
 * guardian of its own; the parts that all oracles share are deployed once.
 *
 * Works on Hardhat's in-process network, on `hardhat node` and on anvil, and inside `loadFixture`.
 *
 * @example
 * const connection = await network.create(); // of hardhat
 * const oracle = await deployTestOracle(connection);
 * await oracle.bring({ marketId: 5_826_765n, price: "216.94" });
 * await oracle.clock.nextEdition();
 * const { update, day } = await oracle.sign({ marketId: 5_826_765n, kind: "rental", price: "2.35" });
 * @throws NotADevelopmentChainError, RpcUnreachableError, TransactionFailedError, InvalidSecretKeyError,
 * InvalidLayoutError
 */
export async function deployTestOracle(
  chain: DevelopmentChain,
  { signerDelaySeconds, quarantineDelaySeconds, defaultBandBasisPoints, ...signing }: TestOracleOptions = {},
): Promise<TestOracle> {
  const prices = new SignedPriceFactory(signing);
  const testChain = await openTestChain(chain);
  const owner = await testChain.newAccount();
  const guardian = await testChain.newAccount();
  const { deployment } = await deployOracle({
    connection: testChain.connection,
    account: owner,
    guardian: guardian.address,
    signerPublicKey: prices.signer.publicKey,
    layout: prices.layout,
    rentalOffset: prices.rentalOffset,
    maxExpiryAfterDateSeconds: prices.maxExpiryAfterDateSeconds,
    signerDelaySeconds,
    quarantineDelaySeconds,
    defaultBandBasisPoints,
    receiptTimeoutMs: RECEIPT_TIMEOUT_MS,
  });
  const carrier = await testChain.newAccount();
  return createTestOracle({ testChain, deployment, prices, accounts: { owner, guardian, carrier } });
}
