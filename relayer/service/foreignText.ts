/** Longest piece of foreign text that goes into a message. */
const MAX_LENGTH = 300;

/** Prepares text from outside for messages and logs. */
export type CleanText = (text: string, maxLength?: number) => string;

/**
 * Text as it may be printed: without control characters and line breaks, without the secret should somebody echo it,
 * and short. Cut last, so that no part of a secret survives the cut.
 */
export function textCleaner(secret: string): CleanText {
  const spellings = new Set([secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)]);
  return (text, maxLength = MAX_LENGTH) => {
    let clean = text
      .replace(/\s+/gu, " ")
      .replace(/\p{C}+/gu, "")
      .trim();
    for (const spelling of spellings) clean = clean.replaceAll(spelling, "[API key]");
    return clean.length <= maxLength ? clean : `${clean.slice(0, maxLength - 1).toWellFormed()}…`;
  };
}
