import { mkdir, mkdtemp, rmdir } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { projectDirectory } from "../../deployment/projectDirectory.ts";
import { SentTransactions } from "../../store/sentTransactions.ts";
import type { Check } from "../check.ts";
import { failed, ok } from "../finding.ts";

export const storeCheck: Check = {
  name: "store",
  about: "the relayer's folder can be written, and its record of sent transactions read",
  needs: [],
  keys: ["store"],
  run: async ({ configuration }) => {
    const folder = resolve(configuration.store ?? join(projectDirectory(), ".homeprice", "store"));
    const problem = await tryToWrite(folder);
    if (problem !== undefined) {
      return failed(
        `the store ${folder} cannot be written (${problem})`,
        "Give another folder with store (HOMEPRICE_STORE), or let the relayer's user write there: it must remember what it sent.",
      );
    }
    await SentTransactions.open(folder);
    return ok(`${folder} can be written`);
  },
};

/** Makes a folder within the folder and takes away again what it made; the code of what went wrong, if anything. */
async function tryToWrite(folder: string): Promise<string | undefined> {
  try {
    const firstMade = await mkdir(folder, { recursive: true });
    await rmdir(await mkdtemp(join(folder, "doctor-")));
    if (firstMade === undefined) return undefined;
    const { length } = resolve(firstMade);
    for (let made = folder; made.length >= length; made = dirname(made)) await rmdir(made);
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Somebody has put something in there meanwhile: it can be written.
    const code = "code" in error ? String(error.code) : error.message;
    return code === "ENOTEMPTY" ? undefined : code;
  }
}
