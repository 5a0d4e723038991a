import type { ChainConfiguration } from "./chainConfiguration.ts";
import type { ChainKey } from "./chainKeys.ts";
import { environmentNameOf } from "./environment.ts";
import { pathOf } from "./keyValues.ts";

/** Both spellings of a chain's key, to say what to set: `chains.base.rpcUrl (HOMEPRICE_CHAINS_BASE_RPC_URL)`. */
export function keyInHint({ chainName }: Pick<ChainConfiguration, "chainName">, key: ChainKey): string {
  return `${pathOf(chainName, key)} (${environmentNameOf(key, chainName)})`;
}
