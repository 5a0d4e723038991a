/** What the service answers, as values: status and text, in the shapes that the public clients of the service read. */

export type Answer = {
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Beside the content type, in small letters. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether the connection breaks off in the middle of the text. */
  readonly isCutOff?: boolean;
};

/** A result, or the answer that says why there is none. */
export type Answered<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly answer: Answer };

/** One complaint of a 422, in the words of the framework that the service is built with. */
export type ValidationProblem = {
  readonly type: string;
  readonly loc: readonly (string | number)[];
  readonly msg: string;
  readonly input: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
};

export function jsonAnswer(status: number, body: unknown): Answer {
  return { status, contentType: "application/json", text: JSON.stringify(body) };
}

/** 400, 401, 403, 404, 405, 413, 422 and 503 carry one sentence. */
export function detailAnswer(status: number, detail: string): Answer {
  return jsonAnswer(status, { detail });
}

/** 422 for a request that is malformed: a list, of which clients read the first `msg`. */
export function validationAnswer(...problems: readonly ValidationProblem[]): Answer {
  return jsonAnswer(422, { detail: problems });
}

/** 429 alone says `error` instead of `detail`. */
export function tooManyAnswer(error: string): Answer {
  return jsonAnswer(429, { error });
}

/** 429 for a request that would cost more credits than are left: its words tell it from a rate limit. */
export function creditLimitAnswer(needed: number, remaining: number): Answer {
  return tooManyAnswer(`Credit limit exceeded: ${needed} credits needed, ${remaining} credits remaining`);
}

/** 500 is plain text: the framework answers it where no code of the service runs any more. */
export function serverErrorAnswer(): Answer {
  return { status: 500, contentType: "text/plain; charset=utf-8", text: "Internal Server Error" };
}

/** The block that stands in every answer. */
export function accountBlock(creditsUsed: number, creditsRemaining: number): Record<string, number> {
  return { est_credits_used: creditsUsed, est_remaining_credits: creditsRemaining };
}
