import { access, constants, mkdir, mkdtemp, rmdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { JOURNAL_FILE } from "../journal/openJournal.ts";
import { openSqliteDatabase } from "../journal/sqliteDatabase.ts";
import { type Finding, failed, ok } from "./finding.ts";
import { describeVersion } from "./journalVersion.ts";

/** Looks at the file of a journal, or at where it is to be made, and changes nothing. */
export async function tryFile(store: string): Promise<Finding> {
  const found = await statOf(store);
  const isFolder = found?.isDirectory() === true || /[/\\]$/.test(store);
  const file = resolve(isFolder ? join(store, JOURNAL_FILE) : store);
  const exists = isFolder ? (await statOf(file)) !== undefined : found !== undefined;
  const problem =
    (exists ? await codeOf(access(file, constants.W_OK)) : undefined) ?? (await tryToWrite(dirname(file)));
  if (problem !== undefined) {
    return failed(
      `the journal ${file} cannot be written (${problem})`,
      "Give another path with store (HOMEPRICE_STORE), or let the relayer's user write there: it must remember what it sent.",
    );
  }
  if (!exists) return ok(`the journal is made by the first run: ${file}`);
  const database = await openSqliteDatabase(file, { mustExist: true });
  try {
    return ok(`${file} can be written${await describeVersion(database)}`);
  } finally {
    await database.db.destroy();
  }
}

async function statOf(path: string) {
  return stat(path).catch(() => undefined);
}

/** Makes a folder within the folder and takes away again what it made; the code of what went wrong, if anything. */
async function tryToWrite(folder: string): Promise<string | undefined> {
  const code = await codeOf(makeAndRemove(folder));
  // Somebody has put something in there meanwhile: it can be written.
  if (code === "ENOTEMPTY") return undefined;
  // What is in the folder's place is none.
  return code === "EEXIST" ? "ENOTDIR" : code;
}

async function makeAndRemove(folder: string): Promise<void> {
  const firstMade = await mkdir(folder, { recursive: true });
  await rmdir(await mkdtemp(join(folder, "doctor-")));
  if (firstMade === undefined) return;
  const { length } = resolve(firstMade);
  for (let made = folder; made.length >= length; made = dirname(made)) await rmdir(made);
}

async function codeOf(trying: Promise<void>): Promise<string | undefined> {
  try {
    await trying;
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return "code" in error ? String(error.code) : error.message;
  }
}
