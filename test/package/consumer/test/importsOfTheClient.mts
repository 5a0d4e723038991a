import assert from "node:assert/strict";
import { registerHooks } from "node:module";
import { it } from "node:test";

const EXPECTED =
  /\/node_modules\/(home-price-oracle\/dist\/relayer\/(service|message|errors)|zod|p-retry|is-network-error)\//;

it("the client loads itself, zod and p-retry: no module of Node, no chain, no daemon", async () => {
  const loaded = new Set<string>();
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      const resolved = nextResolve(specifier, context);
      loaded.add(resolved.url);
      return resolved;
    },
  });
  await import("home-price-oracle/service");
  hooks.deregister();
  assert(loaded.size > 40, `only ${loaded.size} modules were seen`);
  assert.deepEqual(
    [...loaded].filter((url) => !EXPECTED.test(url)),
    [],
  );
});
