import type {
  KyselyPlugin,
  PluginTransformQueryArgs,
  PluginTransformResultArgs,
  QueryResult,
  RootOperationNode,
  UnknownRow,
} from "kysely";
import { JournalFailedError } from "../../relayer/journal/journalErrors.ts";

/** Makes one statement fail, as the death of the process or of the database in that moment would. */
export class FailingStatements implements KyselyPlugin {
  hasFailed = false;
  #left = Number.POSITIVE_INFINITY;

  /** @param statement How many statements go well before the one that fails. */
  async during<T>(statement: number, work: () => Promise<T>): Promise<T> {
    this.hasFailed = false;
    this.#left = statement;
    try {
      return await work();
    } finally {
      this.#left = Number.POSITIVE_INFINITY;
    }
  }

  transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    this.#left -= 1;
    if (this.#left >= 0) return node;
    this.hasFailed = true;
    throw new JournalFailedError("test", "made to fail");
  }

  async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    return result;
  }
}
