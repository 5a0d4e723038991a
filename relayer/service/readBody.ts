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
  // Not every browser can walk a stream with for await.
  const reader = response.body?.getReader();
  if (!reader) return text;
  try {
    for (let part = await reader.read(); !part.done; part = await reader.read()) {
      length += part.value.length;
      if (length > maxBytes) throw new BodyTooLargeError(`more than ${maxBytes} bytes`);
      text += decoder.decode(part.value, { stream: true });
    }
    return text + decoder.decode();
  } catch (error) {
    // Ends the connection, too; of a stream that has failed by itself there is nothing left to end.
    await reader.cancel().catch(() => {});
    throw error;
  }
}
