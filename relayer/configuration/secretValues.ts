import { type Configuration, KEYS_OF_LOGINS, SECRET_KEYS } from "./configurationSchema.ts";

/** Everything in a configuration that nobody else may read: secrets, and URLs that may hold one. */
export function secretValuesOf({ chains = {}, ...topLevel }: Configuration): string[] {
  const keys = new Set<string>([...SECRET_KEYS, ...KEYS_OF_LOGINS, "rpcUrl"]);
  return [topLevel, ...Object.values(chains)].flatMap((level) =>
    Object.entries(level).flatMap(([key, value]) => {
      if (!keys.has(key)) return [];
      const texts = (Array.isArray(value) ? value : [value]).filter((text) => typeof text === "string");
      // The path of a file is no secret.
      return key === "store" ? texts.filter((text) => text.includes("://")) : texts;
    }),
  );
}
