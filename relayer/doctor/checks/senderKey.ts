import { KEY_SOURCES } from "../../configuration/chainKeys.ts";
import type { ChainCheck } from "../check.ts";
import { ok } from "../finding.ts";

export const senderKeyCheck: ChainCheck = {
  scope: "chain",
  name: "sender-key",
  about: "there is a key to send transactions with: a private key, a keystore that opens, a remote signer that has it",
  needs: [],
  keys: [],
  keysFor: (chain) => {
    if (chain.privateKey !== undefined) return ["privateKey"];
    if (chain.keystoreFile !== undefined) return ["keystoreFile", "keystorePassword"];
    if (chain.remoteSignerUrl !== undefined) return ["remoteSignerUrl", "senderAddress"];
    return KEY_SOURCES;
  },
  run: async ({ chain, signer }) => {
    const { address, checkAccount } = await signer();
    await checkAccount?.();
    const source =
      chain.keystoreFile !== undefined
        ? ", whose keystore opens"
        : chain.remoteSignerUrl !== undefined
          ? ", which the remote signer signs for"
          : "";
    return ok(`transactions are sent by ${address}${source}`);
  },
};
