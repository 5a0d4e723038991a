import type { AlertIdentity } from "./alertKey.ts";

/** One alert of a message. */
export type Alert = AlertIdentity & {
  readonly severity: "warning" | "critical";
  readonly message: string;
  /** What to do; empty for one that is over. */
  readonly hint: string;
  readonly sinceMs: bigint;
};

/** `firing`: these stand; `resolved`: these are over. */
export type AlertMessage = { readonly status: "firing" | "resolved"; readonly alerts: readonly Alert[] };

/** What is posted: fields for programs, and one text for people. */
export type AlertPayload = {
  /** Shown by incoming webhooks of Slack and Mattermost. */
  readonly text: string;
  /** The same; shown by those of Discord. */
  readonly content: string;
  /** Discord: nobody is called by name, whatever the text holds. */
  readonly allowed_mentions: { readonly parse: readonly [] };
  readonly status: "firing" | "resolved";
  readonly alerts: readonly {
    readonly kind: string;
    readonly scope: string;
    readonly subject: string;
    readonly severity: "warning" | "critical";
    readonly message: string;
    readonly hint: string;
    readonly sinceIso: string;
  }[];
};

/** Discord refuses a longer text; Slack and Mattermost take more. */
const MAX_TEXT_LENGTH = 2_000;

export function alertPayloadOf({ status, alerts }: AlertMessage): AlertPayload {
  const text = textOf(status, alerts);
  return {
    text,
    content: text,
    allowed_mentions: { parse: [] },
    status,
    alerts: alerts.map(({ kind, scope, subject, severity, message, hint, sinceMs }) => ({
      kind,
      scope,
      subject,
      severity,
      message,
      hint,
      sinceIso: isoOf(sinceMs),
    })),
  };
}

/** Critical ones first, as many as there is room for, and how many more there are. */
function textOf(status: AlertMessage["status"], alerts: readonly Alert[]): string {
  const bySeverity = alerts.toSorted((a, b) => Number(b.severity === "critical") - Number(a.severity === "critical"));
  const blocks = bySeverity.map((alert) => plainText(status === "firing" ? firingText(alert) : resolvedText(alert)));
  let text = "";
  for (const [index, block] of blocks.entries()) {
    const left = blocks.length - index - 1;
    const ending = left > 0 ? `\n… and ${left} more` : "";
    const next = text === "" ? block : `${text}\n${block}`;
    if ((next + ending).length > MAX_TEXT_LENGTH) {
      const closing = `\n… and ${blocks.length - index} more`;
      // Even the first may be too long for a message.
      return text === "" ? `${block.slice(0, MAX_TEXT_LENGTH - closing.length - 1)}…${ending}` : text + closing;
    }
    text = next;
  }
  return text;
}

function firingText({ scope, kind, subject, severity, message, hint, sinceMs }: Alert): string {
  const name = subject === "" ? kind : `${kind} (${subject})`;
  const lines = [`[${severity.toUpperCase()}] ${scope}: ${name} since ${isoOf(sinceMs)}`, message];
  return [...lines, ...(hint === "" ? [] : [`What to do: ${hint}`])].join("\n");
}

function resolvedText({ scope, kind, subject, message, sinceMs }: Alert): string {
  const name = subject === "" ? kind : `${kind} (${subject})`;
  return `[RECOVERED] ${scope}: ${name}, which stood since ${isoOf(sinceMs)}\nIt was: ${message}`;
}

/**
 * Messages quote what services and nodes answer, and chat programs act on some of that: `<!channel>` and links in Slack,
 * `@all` in Mattermost, `@everyone` in Discord.
 */
function plainText(text: string): string {
  return text.replaceAll("<", "‹").replaceAll(">", "›").replaceAll("@", "@\u200b");
}

function isoOf(timeMs: bigint): string {
  return new Date(Number(timeMs)).toISOString();
}
