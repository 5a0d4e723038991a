import { type Address, concatHex, getContractAddress, type Hex, parseEther } from "viem";
import type { ChainConnection } from "../chain/chainConnection.ts";
import type { TransactionSender } from "./transactionSender.ts";

/** The deterministic deployment proxy: deploys `init code` by CREATE2 from calldata `salt ‖ init code`; the same address on every chain. */
export const PROXY_ADDRESS: Address = "0x4e59b44847b379578588920cA78FbF26c0B4956C";

/** Account whose only transaction, signed by nobody's key, creates the proxy. */
const PROXY_DEPLOYER: Address = "0x3fAB184622Dc19b6109349B94811493BF2a45362";

/** That transaction: gas limit 100,000 at 100 gwei, signature r = s = 0x22…22. */
const PROXY_TRANSACTION: Hex = concatHex([
  "0xf8a58085174876e800830186a08080b853604580600e600039806000f350fe7f",
  `0x${"ff".repeat(31)}`,
  "0xe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf31ba0",
  `0x${"22".repeat(32)}`,
  "0xa0",
  `0x${"22".repeat(32)}`,
]);

/** One salt for all of ours: what differs is the init code. */
const SALT: Hex = `0x${"00".repeat(32)}`;

/** Where the proxy puts a contract. */
export function deterministicAddress(initCode: Hex): Address {
  return getContractAddress({ from: PROXY_ADDRESS, salt: SALT, bytecode: initCode, opcode: "CREATE2" });
}

/** Makes sure that the proxy is there; a chain without it gets it by the usual keyless transaction. */
export async function ensureProxy({ publicClient }: ChainConnection, send: TransactionSender): Promise<void> {
  if (await publicClient.getCode({ address: PROXY_ADDRESS })) return;
  const cost = parseEther("0.01");
  const balance = await publicClient.getBalance({ address: PROXY_DEPLOYER });
  if (balance < cost) await send("fund the proxy's deployer", { to: PROXY_DEPLOYER, value: cost - balance });
  const hash = await publicClient.sendRawTransaction({ serializedTransaction: PROXY_TRANSACTION });
  await publicClient.waitForTransactionReceipt({ hash });
}

/** Deploys through the proxy what is not yet at its address. */
export async function deployDeterministically(
  { publicClient }: ChainConnection,
  send: TransactionSender,
  label: string,
  initCode: Hex,
): Promise<Address> {
  const address = deterministicAddress(initCode);
  if (await publicClient.getCode({ address })) return address;
  await send(label, { to: PROXY_ADDRESS, data: concatHex([SALT, initCode]) });
  return address;
}
