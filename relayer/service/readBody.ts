/** A body of more bytes than allowed. */
export class BodyTooLargeError extends Error {}

/**
 * Reads a body as UTF-8 text, and gives up as soon as it is longer than `maxBytes` (counted after decompression).
 * @throws BodyTooLargeError; TypeError for bytes that are not UTF-8; whatever the connection fails with.
 */
export async function readBody(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let length = 0;
  let text = "";
  // Leaving the loop early cancels the stream, and with it the connection.
  for await (const bytes of response.body ?? []) {
    length += bytes.length;
    if (length > maxBytes) throw new BodyTooLargeError(`more than ${maxBytes} bytes`);
    text += decoder.decode(bytes, { stream: true });
  }
  return text + decoder.decode();
}
