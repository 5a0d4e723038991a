import { link, open, rm } from "node:fs/promises";
import type Database from "better-sqlite3";

/**
 * Copies a journal beside its file, as `<file>.before-<version>`, and with a number behind that where such a copy is there
 * already: none is ever overwritten. The copy appears under its name once it is whole and on the disk.
 */
export async function backUpSqlite(database: Database.Database, path: string, beforeVersion: string): Promise<void> {
  const unfinished = `${path}.before-${beforeVersion}.${process.pid}.unfinished`;
  await rm(unfinished, { force: true });
  try {
    database.prepare("vacuum into ?").run(unfinished);
    const file = await open(unfinished, "r+");
    await file.sync();
    await file.close();
    await giveName(unfinished, `${path}.before-${beforeVersion}`);
  } finally {
    await rm(unfinished, { force: true });
  }
}

async function giveName(unfinished: string, name: string): Promise<void> {
  for (let number = 1; ; number += 1) {
    try {
      await link(unfinished, number === 1 ? name : `${name}-${number}`);
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EEXIST")) throw error;
    }
  }
}
