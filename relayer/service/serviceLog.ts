type LogLine = (fields: Readonly<Record<string, unknown>>, message: string) => void;

/** The part of a logger that the client uses; a pino logger is one. */
export type ServiceLog = { readonly debug: LogLine; readonly info: LogLine; readonly warn: LogLine };
