import { senderAccount } from "../../command-line/connectOracle.ts";
import type { Check } from "../check.ts";
import { ok } from "../finding.ts";

export const senderKeyCheck: Check = {
  name: "sender-key",
  about: "there is a key to send transactions with",
  needs: [],
  keys: ["privateKey"],
  run: ({ configuration }) => ok(`transactions are sent by ${senderAccount(configuration).address}`),
};
