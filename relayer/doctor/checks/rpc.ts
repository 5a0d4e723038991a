import { keyInHint } from "../../configuration/keyInHint.ts";
import type { ChainCheck } from "../check.ts";
import { failed, ok, warning } from "../finding.ts";

export const rpcCheck: ChainCheck = {
  scope: "chain",
  name: "rpc",
  about: "every RPC endpoint answers",
  needs: [],
  keys: ["rpcUrl"],
  run: async ({ chain, rpcEndpoints }) => {
    const hint = `Check that the node runs and that ${keyInHint(chain, "rpcUrl")} is right`;
    const endpoints = await rpcEndpoints();
    const answering = endpoints.filter(({ connection }) => connection);
    const silent = endpoints.filter(({ connection }) => !connection);
    const failures = silent.map(({ name, failure }) => `${name} does not answer: ${failure}`).join("; ");
    if (answering.length === 0) return failed(failures, `${hint}; several endpoints can be given.`);
    const names = answering.map(({ name }) => name).join(", ");
    if (silent.length === 0) return ok(`${names} ${answering.length === 1 ? "answers" : "answer"}`);
    return warning(
      `${failures}; ${names} ${answering.length === 1 ? "answers" : "answer"}`,
      `${hint}: the relayer goes on with the others, but each call waits for this one first.`,
    );
  },
};
