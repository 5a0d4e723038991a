import type { HardhatUserConfig } from "hardhat/config";
import type { Hex } from "viem";
import { LOCAL_CHAIN_ID } from "../chain/chainConnection.ts";
import { packageFile } from "../deployment/projectDirectory.ts";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** A development chain in this process, with a JSON-RPC server. */
export type LocalChain = { readonly rpcUrl: string; readonly close: () => Promise<void> };

/** The first two of the well-known development accounts: funded on every local chain, and worthless anywhere else. */
export const LOCAL_OWNER_KEY: Hex = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
export const LOCAL_RELAYER_KEY: Hex = "0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

/** A block at least this often, so that the latest block's time is never far behind the clock. Milliseconds. */
const BLOCK_INTERVAL_MS = 2_000;

/**
 * Starts a chain that mines each transaction at once and a block every two seconds besides.
 * @param port 0 takes a free one.
 * @param chainId Where there are several.
 * @throws HomePriceError when hardhat, an optional companion of this package, is not installed, or the port is taken.
 */
export async function startLocalChain(port: number, chainId: number = LOCAL_CHAIN_ID): Promise<LocalChain> {
  const { createHardhatRuntimeEnvironment } = await import("hardhat/hre").catch(() => {
    throw new HomePriceError("HARDHAT_MISSING", "a local chain needs hardhat, which is not installed", {
      kind: "configuration",
      hint: "Install it beside this package: npm install hardhat@3.17.0",
    });
  });
  const configuration: HardhatUserConfig = {
    networks: {
      local: {
        type: "edr-simulated",
        chainType: "l1",
        chainId,
        hardfork: "osaka",
        // The process clock may have been moved; the chain starts at the same instant.
        initialDate: new Date(),
        mining: { auto: true, interval: BLOCK_INTERVAL_MS },
      },
    },
  };
  // Hardhat wants a project around it; ours has a package.json wherever the command is run from.
  const hre = await createHardhatRuntimeEnvironment(configuration, {}, packageFile());
  const server = await hre.network.createServer("local", "127.0.0.1", port);
  try {
    const { address, port: boundPort } = await server.listen();
    return { rpcUrl: `http://${address}:${boundPort}`, close: () => server.close() };
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "EADDRINUSE")) throw error;
    throw new HomePriceError("PORT_IN_USE", `port ${port} is taken`, {
      kind: "configuration",
      hint: "Give another with --rpc-port, or 0 for any free one.",
    });
  }
}
