import { type Address, encodeFunctionData } from "viem";
import { ed25519VerifierFactoryAbi } from "../../relayer/chain/abi/ed25519VerifierFactoryAbi.ts";
import { deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { DEFAULT_RENTAL_OFFSET } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type BenchmarkChain, type Hardfork, RECEIPT_TIMEOUT_MS, startBenchmarkChain } from "./benchmarkChain.ts";
import { type DeploymentGas, deploymentGas } from "./callTrace.ts";
import { type BenchmarkSigner, benchmarkSigner } from "./signedMessages.ts";
import { measureUpdates, type UpdateFigures } from "./updateGas.ts";
import { type MeasuredVerifier, measureVerifiers, type VerifierFigures } from "./verifierGas.ts";

/** All figures by one hard fork's rules. Whole numbers of gas; the same on every machine. */
export type ForkFigures = VerifierFigures & {
  /** Transactions of `homeprice deploy` on a chain that has nothing but the deterministic proxy, by what they are for. */
  readonly deployment: Readonly<Record<string, DeploymentGas>>;
  /** A transaction that deploys the verifier of a key, and one that finds it there already. */
  readonly registration: { readonly ofNewKey: DeploymentGas; readonly ofRegisteredKey: DeploymentGas };
  readonly updates: UpdateFigures;
};

export type GasFigures = Readonly<Record<Hardfork, ForkFigures>>;

/** Seconds from the start of a price's date to its expiry: the most that the oracle can be made to allow. */
const MAX_EXPIRY_AFTER_DATE_SECONDS = 3 * 86_400;

const ORACLE_SIGNER = benchmarkSigner("first key");
const SECOND_SIGNER = benchmarkSigner("second key");
const THIRD_SIGNER = benchmarkSigner("third key");
/** The keys whose signatures are verified one by one. */
export const SIGNERS = [ORACLE_SIGNER, SECOND_SIGNER, THIRD_SIGNER] as const;

/** Measures everything. Takes some seconds. */
export async function measureGas(): Promise<GasFigures> {
  return { osaka: await measureHardfork("osaka"), prague: await measureHardfork("prague") };
}

async function measureHardfork(hardfork: Hardfork): Promise<ForkFigures> {
  const chain = await startBenchmarkChain(hardfork);
  try {
    const { deployment, transactions } = await deployOracle({
      connection: chain.connection,
      account: chain.account,
      signerPublicKey: ORACLE_SIGNER.publicKey,
      layout: DEFAULT_LAYOUT,
      rentalOffset: DEFAULT_RENTAL_OFFSET,
      maxExpiryAfterDateSeconds: MAX_EXPIRY_AFTER_DATE_SECONDS,
      // So that updates take the whole way past the guard rails.
      defaultBandBasisPoints: 1_000,
      receiptTimeoutMs: RECEIPT_TIMEOUT_MS,
    });
    const factory = deployment.verifierFactory as Address;
    const registered = await register(chain, factory, ORACLE_SIGNER);
    const second = await register(chain, factory, SECOND_SIGNER);
    const third = await register(chain, factory, THIRD_SIGNER);
    return {
      ...(await measureVerifiers(chain, [registered.verifier, second.verifier, third.verifier])),
      registration: { ofNewKey: second.gas, ofRegisteredKey: registered.gas },
      deployment: Object.fromEntries(
        await Promise.all(
          transactions.map(async ({ label, hash, gasUsed }) => {
            const { input } = await chain.connection.publicClient.getTransaction({ hash });
            return [label, deploymentGas(input, gasUsed)] as const;
          }),
        ),
      ),
      updates: await measureUpdates(chain, deployment.oracle as Address, registered.verifier),
    };
  } finally {
    await chain.close();
  }
}

/** Has the factory deploy a key's verifier, or find it. */
async function register(
  chain: BenchmarkChain,
  factory: Address,
  signer: BenchmarkSigner,
): Promise<{ verifier: MeasuredVerifier; gas: DeploymentGas }> {
  const contract = { address: factory, abi: ed25519VerifierFactoryAbi } as const;
  const args = [signer.publicKey.hex] as const;
  const data = encodeFunctionData({ ...contract, functionName: "deploy", args });
  const { gasUsed } = await chain.send("deploy a verifier", { to: factory, data });
  const address = await chain.connection.publicClient.readContract({
    ...contract,
    functionName: "verifierAddress",
    args,
  });
  return { verifier: { signer, address }, gas: deploymentGas(data, gasUsed) };
}
