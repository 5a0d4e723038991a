import { mkdir, open, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { HomePriceError } from "../errors/HomePriceError.ts";
import type { CreditLedger } from "../service/creditBudget.ts";

const entrySchema = z.object({ at: z.iso.datetime(), credits: z.number() });

/** What stands behind an entry that was cut off, so that whoever reads it later knows that it is no damage. */
const CUT_OFF_MARK = "<cut off>";

/**
 * Credits by month in a folder: one file a month, one line an entry, added at the end in a single small write, so that
 * several processes can share it.
 *
 * A process or machine that dies while it writes can leave a last line that is cut off. It does not count: an entry is
 * on disk before its request is sent, so that the request of a cut-off one never was. The next entry marks it.
 */
export function openCreditLedger(folder: string): CreditLedger {
  const pathOf = (month: string): string => join(folder, `credits-${month}.jsonl`);
  return {
    async usedIn(month) {
      const path = pathOf(month);
      return sumOf(await readText(path), path);
    },
    async add(month, credits) {
      const path = pathOf(month);
      const entry = JSON.stringify({ at: new Date().toISOString(), credits });
      try {
        await mkdir(dirname(path), { recursive: true });
        await appendLine(path, entry);
      } catch {
        throw new HomePriceError("CREDIT_LEDGER_UNWRITABLE", `credits cannot be recorded in ${path}`, {
          kind: "configuration",
          hint: "Check the folder given with store (HOMEPRICE_STORE) and its permissions, or remove creditsPerMonth.",
        });
      }
    },
  };
}

/** One write at the end of the file: of several processes that write at once, none cuts into another's line. */
async function appendLine(path: string, line: string): Promise<void> {
  const file = await open(path, "a+");
  try {
    const { size } = await file.stat();
    const isCutOff = size > 0 && (await byteAt(file, size - 1)) !== "\n";
    await file.appendFile(`${isCutOff ? `${CUT_OFF_MARK}\n` : ""}${line}\n`);
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function byteAt(file: Awaited<ReturnType<typeof open>>, position: number): Promise<string> {
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, position);
  return buffer.toString("latin1");
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return "";
    throw unreadable(path, "it cannot be opened");
  }
}

function sumOf(text: string, path: string): number {
  const lines = text.split("\n");
  // Behind the last line break there is nothing, or an entry that was cut off.
  lines.pop();
  let sum = 0;
  for (const [index, line] of lines.entries()) {
    if (line.endsWith(CUT_OFF_MARK)) continue;
    const entry = readEntry(line);
    if (!entry) throw unreadable(path, `line ${index + 1} is no entry`);
    sum += entry.credits;
  }
  return sum;
}

function readEntry(line: string): z.output<typeof entrySchema> | undefined {
  try {
    return entrySchema.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

function unreadable(path: string, why: string): HomePriceError {
  return new HomePriceError("CREDIT_LEDGER_UNREADABLE", `the record of credits ${path} cannot be read: ${why}`, {
    kind: "configuration",
    hint: "Correct the line, or move the file away: the month then counts from zero.",
  });
}
