import { journalPath } from "../../journal/journalPath.ts";
import { isPostgresUrl } from "../../journal/openJournal.ts";
import type { SharedCheck } from "../check.ts";
import { tryDatabase } from "../tryDatabase.ts";
import { tryFile } from "../tryFile.ts";

export const storeCheck: SharedCheck = {
  scope: "shared",
  name: "store",
  about: "what the relayer must remember can be read and written, in its file or in its database",
  needs: [],
  keys: ["store"],
  run: ({ configuration }) => {
    const store = journalPath(configuration);
    return isPostgresUrl(store) ? tryDatabase(store) : tryFile(store);
  },
};
