import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chown, mkdtemp, readdir, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import pg from "pg";

/** A real PostgreSQL server of a test's own. */
export type PostgresServer = {
  /** Of its first database, as a user who may do everything. */
  readonly url: string;
  /** What the server says of itself, such as `15.18`. */
  readonly version: string;
  /** Where its programs were found. */
  readonly programs: string;
  /** Makes an empty database and returns its URL. */
  readonly createDatabase: () => Promise<string>;
  /** Ends the server without a word to anybody, and returns when it is gone; {@link PostgresServer.restart} brings it back. */
  readonly kill: () => Promise<void>;
  readonly restart: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

/** The programs that make and run a server; they are part of every PostgreSQL. */
const PROGRAMS = ["initdb", "postgres"] as const;

/** What the operating system has taken outlives the death of every process; only a loss of power is not rehearsed here. */
const SETTINGS = ["max_connections=200", "fsync=off", "full_page_writes=off"];

/**
 * Starts the machine's own PostgreSQL with an empty cluster in a temporary folder, on a free port of 127.0.0.1.
 * Says what is missing where there is none.
 */
export async function startPostgresServer(): Promise<PostgresServer | { readonly missing: string }> {
  const programs = await findPrograms();
  if (!programs) return { missing: "PostgreSQL (initdb and postgres, on PATH or under /usr/lib/postgresql)" };
  const owner = unprivilegedUser();
  if (owner === "none") return { missing: "a user to run PostgreSQL as (it refuses root)" };

  const folder = await mkdtemp(join(tmpdir(), "homeprice-postgres-"));
  const cluster = join(folder, "cluster");
  if (owner) await chown(folder, owner.uid, owner.gid);
  const options = { cwd: folder, stdio: ["ignore", "pipe", "pipe"] as ["ignore", "pipe", "pipe"], ...owner };
  const made = spawn(
    join(programs, "initdb"),
    ["--pgdata", cluster, "--username", "homeprice", "--auth", "trust", "--encoding", "UTF8", "--no-sync"],
    options,
  );
  await endOf(made, "initdb");

  const port = await freePort();
  const url = `postgres://homeprice@127.0.0.1:${port}/postgres`;
  const start = async (): Promise<ChildProcess> => {
    const child = spawn(
      join(programs, "postgres"),
      [
        ...["-D", cluster, "-h", "127.0.0.1", "-p", String(port), "-k", ""],
        ...SETTINGS.flatMap((each) => ["-c", each]),
      ],
      options,
    );
    let output = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
    child.stdout.resume();
    await untilReady(url, child, () => output);
    return child;
  };
  let running = await start();
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const ended = once(running, "exit");
    running.kill(signal);
    await ended;
  };
  let databases = 0;

  return {
    url,
    version: await ask(url, "show server_version", "server_version"),
    programs,
    createDatabase: async () => {
      databases += 1;
      const name = `test_${process.pid}_${databases}`;
      await ask(url, `create database ${name}`);
      return url.replace(/postgres$/, name);
    },
    // SIGQUIT is "immediate shutdown": every session is cut off, and nothing is written any more.
    kill: () => end("SIGQUIT"),
    restart: async () => {
      running = await start();
    },
    stop: async () => {
      await end("SIGINT");
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function findPrograms(): Promise<string | undefined> {
  const installed = "/usr/lib/postgresql";
  const versions = existsSync(installed) ? (await readdir(installed)).toSorted((a, b) => Number(b) - Number(a)) : [];
  const places = [
    ...(process.env["PATH"] ?? "").split(delimiter),
    ...versions.map((version) => join(installed, version, "bin")),
  ];
  return places.find((place) => place !== "" && PROGRAMS.every((program) => existsSync(join(place, program))));
}

/** PostgreSQL does not run as root; whoever else we are is fine. */
function unprivilegedUser(): { uid: number; gid: number } | "none" | undefined {
  if (process.getuid?.() !== 0) return undefined;
  for (const name of ["postgres", "nobody"]) {
    try {
      const idOf = (option: string) =>
        Number(execFileSync("id", [option, name], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }));
      return { uid: idOf("-u"), gid: idOf("-g") };
    } catch {
      // There is no such user.
    }
  }
  return "none";
}

async function endOf(child: ChildProcess, name: string): Promise<void> {
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  const [exitCode] = (await once(child, "close")) as [number | null];
  if (exitCode !== 0) throw new Error(`${name} ended with ${exitCode}: ${output}`);
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("no free port");
  return address.port;
}

async function untilReady(url: string, child: ChildProcess, output: () => string): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`postgres ended with ${child.exitCode}: ${output()}`);
    try {
      await ask(url, "select 1");
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}

/** Asks one question over a connection of its own. */
async function ask(url: string, question: string, column = ""): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  client.on("error", () => {});
  await client.connect();
  try {
    const { rows } = await client.query(question);
    return String(rows[0]?.[column] ?? "");
  } finally {
    await client.end();
  }
}
