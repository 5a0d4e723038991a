import { join } from "node:path";
import type { Configuration } from "../configuration/configurationSchema.ts";
import { projectDirectory } from "../deployment/projectDirectory.ts";
import { JOURNAL_FILE } from "./openJournal.ts";

/** Where the journal is by the configuration: what {@link openJournal} takes. */
export function journalPath({ store }: Pick<Configuration, "store">): string {
  return store ?? join(projectDirectory(), ".homeprice", JOURNAL_FILE);
}
