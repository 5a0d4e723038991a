import { HomePriceError } from "../errors/HomePriceError.ts";

export type ListenAddress = { readonly host: string; readonly port: number };

const SHAPE = /^(?:\[(?<v6>[0-9a-fA-F:.]+)\]|(?<host>[^\s:/[\]]+)):(?<port>\d{1,5})$/;

/**
 * Reads `host:port`, such as `127.0.0.1:9464` or `[::1]:9464`; port 0 is any free one.
 * @throws HomePriceError when it is none.
 */
export function readListenAddress(text: string): ListenAddress {
  const { v6, host, port } = SHAPE.exec(text)?.groups ?? {};
  const number = Number(port);
  const name = v6 ?? host;
  if (name !== undefined && number <= 65_535) return { host: name, port: number };
  throw new HomePriceError("INVALID_LISTEN_ADDRESS", `"${text}" is no address to listen at`, {
    kind: "configuration",
    hint: "Write host and port, such as 127.0.0.1:9464 or [::1]:9464; port 0 is any free one.",
  });
}
