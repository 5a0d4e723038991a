import { LOCAL_CHAIN_ID } from "../../chain/chainConnection.ts";
import { hostOf } from "../../chain/rpcError.ts";
import type { SharedCheck } from "../check.ts";
import { ok, warning } from "../finding.ts";

export const alertsCheck: SharedCheck = {
  scope: "shared",
  name: "alerts",
  about: "somebody is told when something goes wrong, and when nothing is heard any more",
  needs: [],
  keys: ["webhookUrl", "heartbeatUrl", "listen"],
  run: ({ configuration: { webhookUrl, heartbeatUrl, heartbeatMinutes, listen }, chains }) => {
    const urls = { webhookUrl, heartbeatUrl };
    const open = Object.entries(urls).filter(([, url]) => url !== undefined && isOpenToOthers(url));
    if (open.length > 0) {
      return warning(
        open.map(([key, url]) => `${key} is ${hostOf(String(url))}, which travels unencrypted`).join("; "),
        "Set it to an https address: whoever listens on the way learns the address, and could speak in the relayer's name.",
      );
    }
    const found = [
      ...(webhookUrl === undefined ? [] : [`alerts go to ${hostOf(webhookUrl)}`]),
      ...(heartbeatUrl === undefined
        ? []
        : [`a heartbeat goes to ${hostOf(heartbeatUrl)} every ${heartbeatMinutes} min`]),
      ...(listen === undefined ? [] : [`metrics and health are served at ${listen}`]),
    ];
    if (found.length > 0) return ok(found.join("; "));
    if (chains.every(({ chain }) => chain.chainId === LOCAL_CHAIN_ID))
      return ok("nobody is told: the chain is a local one");
    return warning(
      "nobody is told of anything: neither webhookUrl nor heartbeatUrl nor listen is set",
      "Set webhookUrl (HOMEPRICE_WEBHOOK_URL) for alerts, and heartbeatUrl (HOMEPRICE_HEARTBEAT_URL) for a service that notices when it is no longer called; or listen (HOMEPRICE_LISTEN) for metrics that somebody watches.",
    );
  },
};

/** Whether a URL is neither encrypted nor of this machine. */
function isOpenToOthers(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !/^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
