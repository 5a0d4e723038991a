import { KEY_SOURCES, UNSHARED_CHAIN_KEYS } from "./chainKeys.ts";
import type { Configuration } from "./configurationSchema.ts";

/** What a configuration says of one chain: its own keys, and those that it takes from the top level. */
export type ChainConfiguration = Omit<Configuration, "chains"> & {
  /** `undefined` for the only chain of a configuration that has no names for chains. */
  readonly chainName: string | undefined;
};

/** The chains of a configuration: those that it names, or the one that its top level describes. */
export function chainsOf({ chains, ...topLevel }: Configuration): ChainConfiguration[] {
  if (!chains) return [{ ...topLevel, chainName: undefined }];
  return Object.entries(chains).map(([chainName, own]) => {
    // A chain that says where its key is has nothing to do with another one for all.
    const hasKeyOfItsOwn = KEY_SOURCES.some((source) => own[source] !== undefined);
    const notShared = [...UNSHARED_CHAIN_KEYS, ...(hasKeyOfItsOwn ? [...KEY_SOURCES, "senderAddress"] : [])];
    return {
      ...topLevel,
      ...Object.fromEntries(notShared.map((key) => [key, undefined])),
      ...own,
      stuckAfterSeconds: own.stuckAfterSeconds ?? topLevel.stuckAfterSeconds,
      balanceWarningDays: own.balanceWarningDays ?? topLevel.balanceWarningDays,
      maxUpdatesPerTransaction: own.maxUpdatesPerTransaction ?? topLevel.maxUpdatesPerTransaction,
      maxGasPerTransaction: own.maxGasPerTransaction ?? topLevel.maxGasPerTransaction,
      chainName,
    };
  });
}
