import { createHash } from "node:crypto";
import type { Answer } from "./answer.ts";
import type { Endpoint, EndpointRequest } from "./endpoints/endpoint.ts";

/** Characters of all the answers that are kept; of a single larger one nothing is. */
const MOST_CHARACTERS = 16_000_000;

/** What was last answered well to each request, as a cache would hold it that forgets to look at the time. */
export class AnswerMemory {
  /** The one remembered longest ago comes first. */
  readonly #answers = new Map<string, Answer>();
  #characters = 0;

  recall(endpoint: Endpoint, request: AskedFor): Answer | undefined {
    return this.#answers.get(keyOf(endpoint, request));
  }

  /** Keeps a good answer; errors are not cached. */
  remember(endpoint: Endpoint, request: AskedFor, answer: Answer): void {
    if (answer.status !== 200) return;
    const key = keyOf(endpoint, request);
    this.#forget(key);
    this.#answers.set(key, answer);
    this.#characters += answer.text.length;
    for (const oldest of this.#answers.keys()) {
      if (this.#characters <= MOST_CHARACTERS) break;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#characters -= this.#answers.get(key)?.text.length ?? 0;
    this.#answers.delete(key);
  }
}

/** What makes two requests the same. */
type AskedFor = Pick<EndpointRequest, "pathParameters" | "query" | "bodyText">;

function keyOf({ method, path }: Endpoint, { pathParameters, query, bodyText }: AskedFor): string {
  const asked = JSON.stringify([method, path, pathParameters, query.toString(), bodyText]);
  return createHash("sha256").update(asked).digest("base64");
}
