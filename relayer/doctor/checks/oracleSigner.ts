import { bytesToHex, type Hex } from "viem";
import { homePriceOracleAbi } from "../../chain/abi/homePriceOracleAbi.ts";
import { formatTimeMs } from "../../message/timeWindows.ts";
import type { ChainExamination } from "../chainExamination.ts";
import type { ChainCheck } from "../check.ts";
import type { ExaminedOracle } from "../examinedOracle.ts";
import { failed, ok, skipped } from "../finding.ts";

/** Names of the contract's `SignerStatus` values, by number. */
const STATUSES = ["unknown", "pending", "usable", "retired", "revoked", "cancelled"] as const;

export const oracleSignerCheck: ChainCheck = {
  scope: "chain",
  name: "oracle-signer",
  about: "the oracle accepts the key that signs",
  needs: ["oracle"],
  keys: ["signerPublicKey"],
  run: async (examination) => {
    const oracle = await examination.oracle();
    if (!oracle) return skipped("no RPC endpoint answers");
    const accepted = oracle.usableSigners.map(({ number, publicKey }) => `${publicKey} (signer ${number})`).join(", ");
    const key = await signingKey(examination);
    if (oracle.usableSigners.some(({ publicKey }) => key === undefined || publicKey === key)) {
      return ok(`the oracle accepts ${accepted}`);
    }
    const record = key && (await describeRecord(oracle, key));
    return failed(
      `the oracle accepts no price of ${key ?? "any signer"} now${record ? `: ${record}` : ""}; it accepts ${accepted || "none"}`,
      "Correct signerPublicKey (HOMEPRICE_SIGNER_PUBLIC_KEY) if the oracle is right, or have the oracle's owner propose this signer: it is usable after the oracle's signer delay.",
    );
  },
};

/** The configured key, else the one that the service names; `undefined` when neither is known. */
async function signingKey({ chain, prices }: ChainExamination): Promise<Hex | undefined> {
  if (chain.signerPublicKey) return chain.signerPublicKey;
  const received = await prices().catch(() => []);
  const named = received.flatMap(({ received: { publicKey } }) => publicKey ?? [])[0];
  return named && bytesToHex(named);
}

/** What the oracle's registry says of a key that it does not accept now; `undefined` when it does not know it. */
async function describeRecord({ connection, address }: ExaminedOracle, key: Hex): Promise<string | undefined> {
  const contract = { address, abi: homePriceOracleAbi } as const;
  const count = await connection.publicClient.readContract({ ...contract, functionName: "signerCount" });
  for (let number = count; number >= 1; number -= 1) {
    const info = await connection.publicClient.readContract({
      ...contract,
      functionName: "signerInfo",
      args: [number],
    });
    if (info.publicKey !== key) continue;
    const from = STATUSES[info.status] === "pending" ? ` until ${formatTimeMs(info.usableFrom * 1000n)}` : "";
    return `signer ${number} is ${STATUSES[info.status] ?? "unknown"}${from}`;
  }
  return undefined;
}
