import { type FileHandle, open, realpath, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** A file that is being written beside the one that it is to replace: either all of it takes that place, or nothing. */
export type ReplacedFile = {
  readonly write: (text: string) => Promise<void>;
  /** Everything is written: it takes the file's place. */
  readonly commit: () => Promise<void>;
  /** What is written goes to another name instead; the file stays as it is. */
  readonly keepAs: (path: string) => Promise<void>;
  /** What is written goes; the file stays as it is. */
  readonly discard: () => Promise<void>;
  /** What is written so far is read anew, and what it is turned into takes its place. */
  readonly rewrite: (turn: (from: string, write: (text: string) => Promise<void>) => Promise<void>) => Promise<void>;
};

/**
 * Opens a file for replacement. A link is followed: what it points to is replaced; permissions stay.
 * @throws HomePriceError when the folder cannot be written to.
 */
export async function openReplacedFile(path: string): Promise<ReplacedFile> {
  const target = await realpath(path).catch(() => path);
  const existing = await stat(target).catch(() => undefined);
  if (existing && !existing.isFile()) {
    throw new HomePriceError("FILE_UNWRITABLE", `${path} is no file that could be replaced`, {
      kind: "configuration",
      hint: "Give the path of a file; what is to go elsewhere goes to standard output.",
    });
  }
  const mode = existing && existing.mode & 0o777;
  const temporaryOf = (number: number) => join(dirname(target), `.${basename(target)}.${process.pid}.${number}.tmp`);
  let number = 0;
  let handle = await openNew(temporaryOf(number), mode, path);
  const writing = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof HomePriceError) throw error;
      throw unwritable(path, error);
    }
  };
  const discard = async () => {
    await handle.close().catch(() => {});
    await rm(temporaryOf(number), { force: true });
  };
  const finish = async (to: string) => {
    try {
      await writing(async () => {
        await handle.sync();
        await handle.close();
        await rename(temporaryOf(number), to);
      });
    } catch (error) {
      await discard();
      throw error;
    }
  };
  return {
    write: (text) => writing(async () => void (await handle.writeFile(text))),
    commit: () => finish(target),
    keepAs: finish,
    discard,
    async rewrite(turn) {
      const next = await openNew(temporaryOf(number + 1), mode, path);
      try {
        await turn(temporaryOf(number), (text) => writing(async () => void (await next.writeFile(text))));
      } catch (error) {
        await next.close().catch(() => {});
        await rm(temporaryOf(number + 1), { force: true });
        throw error;
      }
      await discard();
      number += 1;
      handle = next;
    },
  };
}

/** Replaces a file by a text, as a whole or not at all. */
export async function replaceFile(path: string, text: string): Promise<void> {
  const file = await openReplacedFile(path);
  try {
    await file.write(text);
    await file.commit();
  } catch (error) {
    await file.discard();
    throw error;
  }
}

async function openNew(temporary: string, mode: number | undefined, path: string): Promise<FileHandle> {
  try {
    const handle = await open(temporary, "w", mode ?? 0o666);
    // What is given at opening is narrowed by the process's mask.
    if (mode !== undefined) await handle.chmod(mode);
    return handle;
  } catch (error) {
    throw unwritable(path, error);
  }
}

function unwritable(path: string, cause: unknown): HomePriceError {
  const reason = cause instanceof Error && "code" in cause ? ` (${String(cause.code)})` : "";
  return new HomePriceError("FILE_UNWRITABLE", `${path} cannot be written${reason}`, {
    hint: "Check that its folder exists, who may write to it, and the space on the disk.",
    cause,
  });
}
