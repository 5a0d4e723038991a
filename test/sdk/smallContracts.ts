import { type Address, concat, type Hex, numberToHex, size } from "viem";
import type { TestChain } from "../oracle/oracleFixture.ts";

/** EVM code that ends every call with these bytes, by RETURN (0xf3) or REVERT (0xfd). */
function codeEndingWith(data: Hex, end: "0xf3" | "0xfd"): Hex {
  // PUSH2 size, DUP1, PUSH1 12, PUSH0 as 60 00, CODECOPY, PUSH1 0, end; the bytes follow at 12.
  return concat(["0x61", numberToHex(size(data), { size: 2 }), "0x80600c6000396000", end, data]);
}

async function deploy({ mined, accounts }: TestChain, code: Hex): Promise<Address> {
  // The code that deploys is one that returns the code to deploy.
  const { contractAddress } = await mined(() => accounts.other.sendTransaction({ data: codeEndingWith(code, "0xf3") }));
  if (!contractAddress) throw new Error("nothing was deployed");
  return contractAddress;
}

/** A contract that reverts every call with these bytes. */
export function deployReverting(chain: TestChain, data: Hex): Promise<Address> {
  return deploy(chain, codeEndingWith(data, "0xfd"));
}

/** A contract that answers every call with these bytes. */
export function deployAnswering(chain: TestChain, data: Hex): Promise<Address> {
  return deploy(chain, codeEndingWith(data, "0xf3"));
}
