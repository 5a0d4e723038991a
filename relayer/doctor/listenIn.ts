import type { ServiceClient } from "../service/serviceClient.ts";

/** What one request came to: the answer before anybody has read anything in it, or the error. */
export type Heard = { readonly answer: unknown } | { readonly error: unknown };

/** The same client, and what the service answers to its requests. */
export function listenIn(client: ServiceClient): { client: ServiceClient; heard: Heard[] } {
  const heard: Heard[] = [];
  const request: ServiceClient["request"] = async (asked) => {
    try {
      const answer = await client.request(asked);
      heard.push({ answer });
      return answer;
    } catch (error) {
      heard.push({ error });
      throw error;
    }
  };
  return { client: { ...client, request }, heard };
}
