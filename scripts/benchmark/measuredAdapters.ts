import { type Abi, type Address, encodeDeployData, encodeFunctionData, parseAbi } from "viem";
import { readArtifact } from "../../relayer/deployment/contractArtifact.ts";
import type { BenchmarkChain } from "./benchmarkChain.ts";
import { type DeploymentGas, deploymentGas } from "./callTrace.ts";

/** What adapters of one feed are made with. */
export const MAX_AGE_SECONDS = 25n * 3_600n;
/** What a token stands for: one of the feed's units, 18 decimals. */
const UNITS_PER_TOKEN = 10n ** 18n;
export const TOKEN_DECIMALS = 18;
export const LOAN_TOKEN_DECIMALS = 6;
const LOAN_TOKEN_FEED_DECIMALS = 8;
/** USD of a whole loan token: 1. */
const LOAN_TOKEN_PRICE = 10n ** 8n;

/** USD as ERC-7726 names it. */
export const USD: Address = "0x0000000000000000000000000000000000000348";
const NO_FEED: Address = "0x0000000000000000000000000000000000000000";

/** Adapters of one feed, and the token of home area that two of them price. */
export type MeasuredAdapters = {
  readonly chainlink: Address;
  readonly pyth: Address;
  readonly quote: Address;
  readonly morphoAtPar: Address;
  readonly morphoWithFeed: Address;
  readonly erc7412: Address;
  readonly token: Address;
  /** The transactions of their factories, by contract. */
  readonly deployment: Readonly<Record<string, DeploymentGas>>;
};

/** Deploys each adapter by its factory. The feed of the loan token is a contract of Chainlink's, updated just then. */
export async function deployAdapters(
  chain: BenchmarkChain,
  oracle: Address,
  feedId: bigint,
): Promise<MeasuredAdapters> {
  const token = await deployToken(chain, TOKEN_DECIMALS);
  const loanToken = await deployToken(chain, LOAN_TOKEN_DECIMALS);
  const loanTokenFeed = await deployLoanTokenFeed(chain);
  const priced = { oracle, feedId, maxAge: MAX_AGE_SECONDS, unitsPerToken: UNITS_PER_TOKEN };
  const collateral = { ...priced, collateralToken: token, loanToken };

  const chainlink = await deployByFactory(chain, "chainlink/ChainlinkAdapter", [oracle, feedId, MAX_AGE_SECONDS]);
  const pyth = await deployByFactory(chain, "pyth/PythAdapter", [oracle]);
  const quote = await deployByFactory(chain, "erc7726/QuoteAdapter", [{ ...priced, base: token, quote: USD }]);
  const morphoAtPar = await deployByFactory(chain, "morpho/MorphoAdapter", [
    { ...collateral, loanTokenFeed: NO_FEED, loanTokenFeedMaxAge: 0n },
  ]);
  const morphoWithFeed = await deployByFactory(chain, "morpho/MorphoAdapter", [
    { ...collateral, loanTokenFeed, loanTokenFeedMaxAge: MAX_AGE_SECONDS },
  ]);
  const erc7412 = await deployByFactory(chain, "erc7412/ERC7412Adapter", [oracle]);
  return {
    chainlink: chainlink.address,
    pyth: pyth.address,
    quote: quote.address,
    morphoAtPar: morphoAtPar.address,
    morphoWithFeed: morphoWithFeed.address,
    erc7412: erc7412.address,
    token,
    deployment: {
      ChainlinkAdapter: chainlink.gas,
      PythAdapter: pyth.gas,
      QuoteAdapter: quote.gas,
      "MorphoAdapter, loan token at par": morphoAtPar.gas,
      "MorphoAdapter, with a feed of the loan token": morphoWithFeed.gas,
      ERC7412Adapter: erc7412.gas,
    },
  };
}

async function deployByFactory(
  chain: BenchmarkChain,
  adapter: string,
  args: readonly unknown[],
): Promise<{ address: Address; gas: DeploymentGas }> {
  const name = adapter.slice(adapter.indexOf("/") + 1);
  const { abi, bytecode } = await readArtifact(`adapters/${adapter}Factory.sol`, `${name}Factory`);
  const factory = await chain.deploy(`deploy the factory of ${name}s`, bytecode);
  const data = encodeFunctionData({ abi, functionName: "deploy", args });
  const { gasUsed } = await chain.send(`deploy a ${name}`, { to: factory, data });
  return { address: await adapterAddress(chain, factory, abi, args), gas: deploymentGas(data, gasUsed) };
}

async function adapterAddress(
  { connection: { publicClient } }: BenchmarkChain,
  factory: Address,
  abi: Abi,
  args: readonly unknown[],
): Promise<Address> {
  // The same arguments as `deploy`: the factory tells where it puts the adapter, or finds it.
  return (await publicClient.readContract({ address: factory, abi, functionName: "adapterAddress", args })) as Address;
}

async function deployToken(chain: BenchmarkChain, decimals: number): Promise<Address> {
  const { bytecode } = await readArtifact("testing/adapters/erc7726/TokenOfDecimals.sol", "TokenOfDecimals");
  const abi = parseAbi(["constructor(uint8 tokenDecimals)"]);
  return await chain.deploy("deploy a token", encodeDeployData({ abi, bytecode, args: [decimals] }));
}

async function deployLoanTokenFeed(chain: BenchmarkChain): Promise<Address> {
  const { bytecode } = await readArtifact("testing/adapters/morpho/LoanTokenFeed.sol", "LoanTokenFeed");
  const abi = parseAbi(["constructor(uint8 feedDecimals, int256 initialAnswer)"]);
  const args = [LOAN_TOKEN_FEED_DECIMALS, LOAN_TOKEN_PRICE] as const;
  return await chain.deploy("deploy a feed of the loan token", encodeDeployData({ abi, bytecode, args }));
}
