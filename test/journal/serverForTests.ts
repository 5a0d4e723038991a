import { type PostgresServer, startPostgresServer } from "./postgresServer.ts";

/** A server for the tests of one file; where there is none, says on the console what is not tested for that. */
export async function serverForTests(what: string): Promise<PostgresServer | undefined> {
  const server = await startPostgresServer();
  if (!("missing" in server)) return server;
  process.stderr.write(`skipped: ${what} is not tested, because this machine lacks ${server.missing}\n`);
  return undefined;
}
