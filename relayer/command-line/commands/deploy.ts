import { type Hex, hexToBytes, type TransactionReceipt } from "viem";
import { chainNamed } from "../../configuration/chainNamed.ts";
import { InvalidConfigurationError } from "../../configuration/loadConfiguration.ts";
import { connectConfiguredChain } from "../../configured/connectOracle.ts";
import { senderAccount } from "../../configured/senderAccount.ts";
import { writeDeployment } from "../../deployment/addressBook.ts";
import { deployAdapterFactories } from "../../deployment/deployAdapterFactories.ts";
import { deployOracle } from "../../deployment/deployOracle.ts";
import { decodePublicKey } from "../../message/ed25519.ts";
import { type ChainOption, withChainOption } from "../chainOption.ts";
import { defineCommand } from "../commonOptions.ts";
import { EXIT_DONE, print } from "../output.ts";

type DeployOptions = ChainOption & { readonly adapters?: boolean };

export const deployCommand = defineCommand<DeployOptions>(
  "deploy",
  "deploy the oracle to a network and write deployments/<chainId>.json; what is there already is not deployed again",
  [
    "HOMEPRICE_SIGNER_PUBLIC_KEY=0x… HOMEPRICE_RPC_URL=http://127.0.0.1:8545 HOMEPRICE_PRIVATE_KEY=0x… homeprice deploy",
    "homeprice deploy --config production.yaml --json",
    "homeprice deploy --chain base --adapters",
  ],
  (command) =>
    withChainOption(command, "to which of several chains").option(
      "--adapters",
      "also deploy the factories of adapters (Chainlink, Pyth, ERC-7726, Morpho, ERC-7412)",
    ),
  async ({ json, log, options, configuration: load }) => {
    const configuration = await load();
    if (!configuration.signerPublicKey) {
      throw new InvalidConfigurationError(
        "NO_SIGNER_PUBLIC_KEY",
        "the public key that signs the prices is not configured",
        "Set signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY); the simulator prints its own when it starts.",
      );
    }
    const signerPublicKey = decodePublicKey(hexToBytes(configuration.signerPublicKey));
    const chain = chainNamed(configuration, options.chain);
    const account = await senderAccount(chain);
    const connection = await connectConfiguredChain(chain);
    log.info({ chainId: connection.chain.id, sender: account.address }, "deploying");
    const transactions: { label: string; hash: Hex; gasUsed: string }[] = [];
    const sending = {
      connection,
      account,
      receiptTimeoutMs: configuration.receiptTimeoutSeconds * 1000,
      onMined: (label: string, { transactionHash: hash, gasUsed }: TransactionReceipt) => {
        transactions.push({ label, hash, gasUsed: gasUsed.toString() });
        log.info({ transaction: hash, gasUsed: gasUsed.toString() }, label);
      },
    };
    let { deployment } = await deployOracle({
      ...sending,
      signerPublicKey,
      layout: configuration.layout,
      rentalOffset: configuration.rentalOffset,
      maxExpiryAfterDateSeconds: configuration.maxExpiryAfterDateSeconds,
      quarantineDelaySeconds: configuration.quarantineDelaySeconds,
      defaultBandBasisPoints: configuration.defaultBandBasisPoints,
      signerDelaySeconds: configuration.signerDelaySeconds,
      owner: configuration.owner,
      guardian: configuration.guardian,
    });
    const path = await writeDeployment(deployment, configuration.deploymentsDirectory);
    if (options.adapters) {
      deployment = { ...deployment, adapterFactories: await deployAdapterFactories(sending) };
      await writeDeployment(deployment, configuration.deploymentsDirectory);
    }
    if (!configuration.guardian) log.warn("the oracle has no guardian: nobody can pause it until the owner sets one");
    if (configuration.defaultBandBasisPoints === 0) {
      log.warn("feeds have no band until the owner sets one: give defaultBandBasisPoints to have wild prices wait");
    }
    if (!configuration.owner) {
      log.warn(
        "the sender owns the oracle: give owner (HOMEPRICE_OWNER), or relay with the key of another sender than this one",
      );
    }
    const { chainId, oracle, verifierFactory, signer, adapterFactories } = deployment;
    const document = {
      ok: true,
      chainId,
      oracle,
      signer: signer.publicKey,
      verifierFactory,
      verifier: signer.verifier,
      ...(adapterFactories && { adapterFactories }),
      addressBook: path,
      transactions,
    };
    print(json, document, () =>
      [
        `Oracle ${oracle} on chain ${chainId}, signer ${signer.publicKey}.`,
        ...Object.entries(adapterFactories ?? {}).map(([kind, address]) => `Factory of ${kind} adapters ${address}.`),
        transactions.length === 0 ? "All of it was there already." : `${transactions.length} transactions.`,
        `Written down in ${path}.`,
      ].join("\n"),
    );
    return EXIT_DONE;
  },
);
