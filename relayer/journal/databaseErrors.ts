import Database from "better-sqlite3";
import pg from "pg";
import { HomePriceError } from "../errors/HomePriceError.ts";
import { AttemptConflictError } from "./attemptConflictError.ts";
import {
  JournalFailedError,
  JournalStepError,
  JournalUnreachableError,
  JournalUnreadableError,
} from "./journalErrors.ts";

/** What the driver of a database threw, as an error of ours; its own text may hold names and is never repeated. */
export function namingDatabaseError(error: unknown, description: string): unknown {
  if (error instanceof HomePriceError) return error;
  if (error instanceof Database.SqliteError) return fromSqlite(error, description);
  if (error instanceof pg.DatabaseError) return fromPostgres(error, description);
  if (error instanceof Error && isBrokenConnection(error)) {
    const code = "code" in error ? String(error.code) : "the connection broke or was never made";
    return new JournalUnreachableError(description, code, error);
  }
  return error;
}

function fromSqlite(error: InstanceType<typeof Database.SqliteError>, description: string): unknown {
  const { code, message } = error;
  if (code === "SQLITE_CONSTRAINT_UNIQUE" && message.includes("attempts.nonce"))
    return new AttemptConflictError("nonce");
  if (code === "SQLITE_CONSTRAINT_UNIQUE" && message.includes("attempt_updates.price_id")) {
    return new AttemptConflictError("update");
  }
  if (code.startsWith("SQLITE_CONSTRAINT")) return contradiction(code, error);
  if (code.startsWith("SQLITE_CORRUPT") || code === "SQLITE_NOTADB") {
    return new JournalUnreadableError(description, `it is damaged (${code})`, error);
  }
  return new JournalFailedError(description, code, error);
}

function fromPostgres(error: pg.DatabaseError, description: string): unknown {
  const { code = "", constraint } = error;
  if (constraint === "attempts_nonce") return new AttemptConflictError("nonce");
  if (constraint === "attempt_updates_held") return new AttemptConflictError("update");
  const kind = code.slice(0, 2);
  if (kind === "23") return contradiction(code, error);
  const unreachable = UNREACHABLE[code] ?? UNREACHABLE[kind];
  if (unreachable) return new JournalUnreachableError(description, unreachable, error);
  return new JournalFailedError(description, FAILED[code] ?? `the server answered with error ${code}`, error);
}

/** By SQLSTATE, or its class. */
const UNREACHABLE: Readonly<Record<string, string>> = {
  "08": "the connection broke",
  "28": "the server does not accept the user or the password",
  "3D": "the database does not exist",
  "53300": "the server has no connection left",
  "57P01": "the server is being stopped",
  "57P02": "the server crashed",
  "57P03": "the server is starting or stopping",
  "57P05": "the server ended the session",
  "25P03": "the server ended a session that did nothing",
};
const FAILED: Readonly<Record<string, string>> = {
  "42501": "the user may not do that",
  "53100": "the server's disk is full",
  "25006": "the server is read-only",
};

function contradiction(code: string, cause: unknown): JournalStepError {
  return new JournalStepError(`something refers to what is not in the journal, or is there twice (${code})`, cause);
}

const CONNECTION_CODES = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EPIPE",
  "ENOENT",
  "EACCES",
]);

function isBrokenConnection(error: Error): boolean {
  if ("code" in error && CONNECTION_CODES.has(String(error.code))) return true;
  return /connection|Client|timeout|SSL/i.test(error.message) && !(error instanceof TypeError);
}
