import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Hex } from "viem";
import { z } from "zod";
import { HomePriceError } from "../errors/HomePriceError.ts";

/** A transaction that has left, or was about to: enough to find out later what became of it. */
const recordSchema = z.object({
  chainId: z.int(),
  hash: z.string().transform((hash) => hash as Hex),
  sender: z.string(),
  nonce: z.int(),
  feeds: z.array(z.string()),
  sentAt: z.string(),
});
const fileSchema = z.object({ version: z.literal(1), transactions: z.array(recordSchema) });

export type SentTransactionRecord = z.output<typeof recordSchema>;

/**
 * The transactions whose outcome is not known yet, in one file that is replaced as a whole: a process that dies between
 * sending and the receipt leaves a record, and the next run starts by asking the chain about it.
 */
export class SentTransactions {
  readonly #path: string;
  #records: SentTransactionRecord[];
  /** Writes go one after the other: several transactions settle at the same moment. */
  #written: Promise<void> = Promise.resolve();

  private constructor(path: string, records: SentTransactionRecord[]) {
    this.#path = path;
    this.#records = records;
  }

  /** @throws HomePriceError when the file exists and is not ours: nothing is overwritten. */
  static async open(folder: string): Promise<SentTransactions> {
    const path = join(folder, "sent-transactions.json");
    let text: string;
    try {
      text = await readFile(path, "utf8");
    } catch (error) {
      if (error instanceof Error && "code" in error && error.code === "ENOENT") return new SentTransactions(path, []);
      throw unreadable(path);
    }
    try {
      return new SentTransactions(path, fileSchema.parse(JSON.parse(text)).transactions);
    } catch {
      throw unreadable(path);
    }
  }

  /** Records of one chain, oldest first. */
  on(chainId: number): SentTransactionRecord[] {
    return this.#records.filter((record) => record.chainId === chainId);
  }

  /** Resolves when the record is on disk. */
  add(record: SentTransactionRecord): Promise<void> {
    this.#records = [...this.#records, record];
    return this.#save();
  }

  /** Forgets a transaction whose outcome is known. */
  settle(hash: Hex): Promise<void> {
    this.#records = this.#records.filter((record) => record.hash !== hash);
    return this.#save();
  }

  #save(): Promise<void> {
    // A failed write is reported to its own caller; the next one writes everything again.
    this.#written = this.#written.catch(() => {}).then(() => this.#write());
    return this.#written;
  }

  async #write(): Promise<void> {
    await mkdir(dirname(this.#path), { recursive: true });
    const temporary = `${this.#path}.${process.pid}.tmp`;
    await writeFile(temporary, `${JSON.stringify({ version: 1, transactions: this.#records }, null, 2)}\n`);
    await rename(temporary, this.#path);
  }
}

function unreadable(path: string): HomePriceError {
  return new HomePriceError("STORE_UNREADABLE", `${path} cannot be read as the relayer's record of sent transactions`, {
    kind: "configuration",
    hint: "Move the file away after looking up its transactions, or give another folder with store (HOMEPRICE_STORE).",
  });
}
