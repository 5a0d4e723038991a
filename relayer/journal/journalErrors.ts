import { HomePriceError } from "../errors/HomePriceError.ts";

/** The journal was written by a newer version of this program, which may mean by it what this one does not know. */
export class JournalNewerError extends HomePriceError {
  constructor(description: string, unknownVersion: string) {
    super("JOURNAL_NEWER", `the journal (${description}) is of a newer version of this program, ${unknownVersion}`, {
      kind: "configuration",
      hint: "Install the newer version again. To go back to this one, stop every process, put the backup that the upgrade made (the file that ends in .before-…, on PostgreSQL your dump) in the journal's place, and let what was sent since settle on the chain.",
    });
  }
}

/** There is something where the journal should be, and it is none, or it is damaged. Nothing was overwritten. */
export class JournalUnreadableError extends HomePriceError {
  constructor(description: string, why: string, cause?: unknown) {
    super("JOURNAL_UNREADABLE", `${description} cannot be used as the journal: ${why}`, {
      kind: "configuration",
      hint: "Nothing was changed. Check store (HOMEPRICE_STORE); move a file that is no journal away; put a backup in the place of a damaged one.",
      cause,
    });
  }
}

/** There is no journal yet, and the command at hand only reads. */
export class JournalMissingError extends HomePriceError {
  constructor(description: string) {
    super("JOURNAL_MISSING", `there is no journal yet (${description})`, {
      kind: "configuration",
      hint: "Check store (HOMEPRICE_STORE). The journal is made by the first run, homeprice relay.",
    });
  }
}

/** The database server does not answer, or does not let us in. */
export class JournalUnreachableError extends HomePriceError {
  constructor(description: string, why: string, cause?: unknown) {
    super("JOURNAL_UNREACHABLE", `the journal (${description}) cannot be reached: ${why}`, {
      hint: "Check that the server runs, and the user, password and database in store (HOMEPRICE_STORE). Nothing is sent until the journal can be written.",
      cause,
    });
  }
}

/** The database refused to read or write. What was to be written has not happened. */
export class JournalFailedError extends HomePriceError {
  constructor(description: string, why: string, cause?: unknown) {
    super("JOURNAL_FAILED", `the journal (${description}) cannot be read or written: ${why}`, {
      hint: "Check the space on the disk, the permissions, and that no other program holds the database. Nothing is sent until the journal can be written.",
      cause,
    });
  }
}

/** The journal could not be brought to this version. It is as it was before. */
export class JournalMigrationError extends HomePriceError {
  constructor(description: string, why: string, cause?: unknown) {
    super("JOURNAL_MIGRATION_FAILED", `the journal (${description}) cannot be brought to this version: ${why}`, {
      hint: "The journal is as it was. Stop every other process that uses it and try again; go on with the version that you had until then.",
      cause,
    });
  }
}

/** Something that cannot follow from what is written down. It has not been written. */
export class JournalStepError extends HomePriceError {
  constructor(message: string, cause?: unknown) {
    super("JOURNAL_IMPOSSIBLE_STEP", message, {
      hint: "Nothing was changed. Another process has recorded something else in between, or the chain and the journal contradict each other; the next look tells. If it comes again, please report it.",
      cause,
    });
  }
}
