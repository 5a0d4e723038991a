import { registerHooks } from "node:module";
import { pathToFileURL } from "node:url";
import { packageFile } from "../../relayer/deployment/projectDirectory.ts";
import type { Mutation } from "./mutation.ts";

/** The code is no longer what a mutation was written for. */
export class MutationMismatchError extends Error {
  constructor(mutation: Mutation, file: string, found: number) {
    super(`the mutation "${mutation.name}" looks for something in ${file} that occurs ${found} times, not once`);
  }
}

/**
 * Applies a mutation to the modules that this process loads from now on. The files stay as they are.
 * @returns What checks, afterwards, that every mutated module has been loaded.
 * @throws MutationMismatchError when a module is loaded that has another text by now.
 */
export function mutateModules(mutation: Mutation): () => void {
  const files = Map.groupBy(mutation.changes, ({ file }) => pathToFileURL(packageFile(file)).href);
  const loaded = new Set<string>();
  registerHooks({
    load(url, context, nextLoad) {
      const changes = files.get(url);
      const module = nextLoad(url, context);
      if (!changes) return module;
      loaded.add(url);
      let source = String(module.source instanceof Uint8Array ? Buffer.from(module.source) : module.source);
      for (const { file, from, to } of changes) {
        const found = source.split(from).length - 1;
        if (found !== 1) throw new MutationMismatchError(mutation, file, found);
        source = source.replace(from, () => to);
      }
      return { ...module, source };
    },
  });
  return () => {
    for (const [url, [change]] of files) {
      if (!loaded.has(url) && change) throw new MutationMismatchError(mutation, change.file, 0);
    }
  };
}
