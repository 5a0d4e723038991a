import type { Check } from "../check.ts";
import { failed, ok, warning } from "../finding.ts";

const HINT = "Check that the node runs and that rpcUrl (HOMEPRICE_RPC_URL) is right";

export const rpcCheck: Check = {
  name: "rpc",
  about: "every RPC endpoint answers",
  needs: [],
  keys: ["rpcUrl"],
  run: async ({ rpcEndpoints }) => {
    const endpoints = await rpcEndpoints();
    const answering = endpoints.filter(({ connection }) => connection);
    const silent = endpoints.filter(({ connection }) => !connection);
    const failures = silent.map(({ name, failure }) => `${name} does not answer: ${failure}`).join("; ");
    if (answering.length === 0) return failed(failures, `${HINT}; several endpoints can be given.`);
    const names = answering.map(({ name }) => name).join(", ");
    if (silent.length === 0) return ok(`${names} ${answering.length === 1 ? "answers" : "answer"}`);
    return warning(
      `${failures}; ${names} ${answering.length === 1 ? "answers" : "answer"}`,
      `${HINT}: the relayer goes on with the others, but each call waits for this one first.`,
    );
  },
};
