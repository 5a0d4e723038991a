import { HomePriceError } from "./HomePriceError.ts";

/** The address to listen at cannot be had. */
export class ListenError extends HomePriceError {
  constructor(code: string, message: string, hint: string, cause: unknown) {
    super(code, message, { kind: "configuration", hint, cause });
  }
}

/** Says what is wrong with an address in the words of whoever chose it. */
export function listenError(host: string, port: number, cause: unknown): ListenError {
  const code = cause instanceof Error && "code" in cause ? cause.code : undefined;
  switch (code) {
    case "EADDRINUSE":
      return new ListenError(
        "PORT_IN_USE",
        `port ${port} at ${host} is in use`,
        "Choose another port, or 0 for any free one, or stop the program that listens there.",
        cause,
      );
    case "EACCES":
      return new ListenError(
        "PORT_NOT_ALLOWED",
        `port ${port} at ${host} may not be used`,
        "Choose a port from 1024, or 0 for any free one.",
        cause,
      );
    case "ERR_SOCKET_BAD_PORT":
      return new ListenError(
        "INVALID_PORT",
        `${port} is no port`,
        "Choose a port from 0 (any free one) to 65535.",
        cause,
      );
    default:
      return new ListenError(
        "CANNOT_LISTEN",
        `no listening at ${host}, port ${port} (${String(code ?? "unknown error")})`,
        "Choose an address of this computer, such as 127.0.0.1.",
        cause,
      );
  }
}
