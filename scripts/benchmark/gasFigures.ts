import { type Address, concat, encodeFunctionData, type Hex, size, slice } from "viem";
import { ed25519VerifierFactoryAbi } from "../../relayer/chain/abi/ed25519VerifierFactoryAbi.ts";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import { type DeployResult, deployOracle } from "../../relayer/deployment/deployOracle.ts";
import { DEFAULT_RENTAL_OFFSET } from "../../relayer/message/feedId.ts";
import { DEFAULT_LAYOUT } from "../../relayer/message/messageLayout.ts";
import { type BenchmarkChain, type Hardfork, RECEIPT_TIMEOUT_MS, startBenchmarkChain } from "./benchmarkChain.ts";
import { type DeploymentGas, deploymentGas } from "./callTrace.ts";
import { compileOracleWithoutHistory } from "./oracleWithoutHistory.ts";
import { measurePulls, type PullFigures } from "./pullGas.ts";
import { measureReads, type ReadFigures } from "./readGas.ts";
import { type BenchmarkSigner, benchmarkSigner } from "./signedMessages.ts";
import { measureStoring, type StoringFigures } from "./storingGas.ts";
import { measureUpdates, type UpdateFigures } from "./updateGas.ts";
import { type MeasuredVerifier, measureVerifiers, type VerifierFigures } from "./verifierGas.ts";

/** All figures by one hard fork's rules. Whole numbers of gas; the same on every machine. */
export type ForkFigures = VerifierFigures & {
  /** Transactions of `homeprice deploy` on a chain that has nothing but the deterministic proxy, by what they are for. */
  readonly deployment: Readonly<Record<string, DeploymentGas>>;
  /** A transaction that deploys the verifier of a key, and one that finds it there already. */
  readonly registration: { readonly ofNewKey: DeploymentGas; readonly ofRegisteredKey: DeploymentGas };
  readonly updates: UpdateFigures;
  readonly storing: StoringFigures;
  readonly pulls: PullFigures;
  readonly reads: ReadFigures;
  /** Transactions of adapters' factories, by adapter. */
  readonly adapterDeployment: Readonly<Record<string, DeploymentGas>>;
};

export type GasFigures = Readonly<Record<Hardfork, ForkFigures>>;

/** Seconds from the start of a price's date to its expiry: the most that the oracle can be made to allow. */
const MAX_EXPIRY_AFTER_DATE_SECONDS = 3 * 86_400;

const ORACLE_SIGNER = benchmarkSigner("first key");
const SECOND_SIGNER = benchmarkSigner("second key");
const THIRD_SIGNER = benchmarkSigner("third key");
/** The keys whose signatures are verified one by one. */
export const SIGNERS = [ORACLE_SIGNER, SECOND_SIGNER, THIRD_SIGNER] as const;

/** So that updates take the whole way past the guard rails. */
const BAND_BASIS_POINTS = 1_000;

/** Measures everything. Takes some tens of seconds. */
export async function measureGas(): Promise<GasFigures> {
  const codeWithoutHistory = await compileOracleWithoutHistory();
  return {
    osaka: await measureHardfork("osaka", codeWithoutHistory),
    prague: await measureHardfork("prague", codeWithoutHistory),
  };
}

async function measureHardfork(hardfork: Hardfork, codeWithoutHistory: Hex): Promise<ForkFigures> {
  // The oracle without history may exceed EIP-170, as the compiler then puts functions elsewhere.
  const chain = await startBenchmarkChain(hardfork, { allowUnlimitedContractSize: true });
  try {
    const { deployment, transactions } = await deploy(chain, BAND_BASIS_POINTS);
    const oracle = deployment.oracle as Address;
    const factory = deployment.verifierFactory as Address;
    const registered = await register(chain, factory, ORACLE_SIGNER);
    const second = await register(chain, factory, SECOND_SIGNER);
    const third = await register(chain, factory, THIRD_SIGNER);
    const compared = {
      oracle,
      withoutHistory: await deployAlike(chain, transactions, codeWithoutHistory),
      withoutBand: (await deploy(chain, 0)).deployment.oracle as Address,
    };
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
      updates: await measureUpdates(chain, oracle, registered.verifier),
      storing: await measureStoring(chain, compared, ORACLE_SIGNER),
      pulls: await measurePulls(chain, oracle, ORACLE_SIGNER),
      // Last, as it moves the clock.
      ...(await measureReads(chain, oracle, ORACLE_SIGNER)),
    };
  } finally {
    await chain.close();
  }
}

/** Deploys an oracle as `homeprice deploy` does. */
async function deploy({ connection, account }: BenchmarkChain, defaultBandBasisPoints: number): Promise<DeployResult> {
  return await deployOracle({
    connection,
    account,
    signerPublicKey: ORACLE_SIGNER.publicKey,
    layout: DEFAULT_LAYOUT,
    rentalOffset: DEFAULT_RENTAL_OFFSET,
    maxExpiryAfterDateSeconds: MAX_EXPIRY_AFTER_DATE_SECONDS,
    defaultBandBasisPoints,
    receiptTimeoutMs: RECEIPT_TIMEOUT_MS,
  });
}

/** Deploys other code with the arguments with which the oracle was deployed. */
async function deployAlike(
  { connection, deploy: deployCode }: BenchmarkChain,
  transactions: DeployResult["transactions"],
  code: Hex,
): Promise<Address> {
  const { bytecode } = await readArtifact("HomePriceOracle.sol", "HomePriceOracle");
  const inputs = await Promise.all(
    transactions.map(async ({ hash }) => (await connection.publicClient.getTransaction({ hash })).input),
  );
  // The proxy takes a salt of 32 bytes before the code, and the constructor its arguments behind it.
  const [input] = inputs.filter((candidate) => candidate.slice(66).startsWith(bytecode.slice(2)));
  if (input === undefined) throw new Error("no transaction has deployed the oracle");
  return await deployCode("deploy the changed oracle", concat([code, slice(input, 32 + size(bytecode))]));
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
