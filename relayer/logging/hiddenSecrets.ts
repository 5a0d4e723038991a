const REPLACEMENT = "[secret]";

/** Shorter texts are too likely to be part of something else. */
const MIN_LENGTH = 6;

/**
 * Texts that must not be read anywhere. Nothing of ours writes them; this is for what others write, such as an error that
 * quotes the URL which it failed to reach.
 */
export class HiddenSecrets {
  #texts: readonly string[] = [];

  /** Hides a text, as it is and as JSON and URLs spell it. Of a URL, also its path, its query and its password. */
  add(...secrets: readonly (string | undefined)[]): void {
    const texts = new Set(this.#texts);
    for (const secret of secrets) {
      for (const part of secret === undefined ? [] : partsOf(secret)) {
        if (part.length < MIN_LENGTH) continue;
        for (const spelling of [part, JSON.stringify(part).slice(1, -1), encodeURIComponent(part)]) texts.add(spelling);
      }
    }
    // Longest first, so that no rest of a text stays because a part of it was replaced before.
    this.#texts = [...texts].sort((a, b) => b.length - a.length);
  }

  /** A text without them. */
  hide(text: string): string {
    return this.#texts.reduce((hidden, secret) => hidden.replaceAll(secret, REPLACEMENT), text);
  }
}

function partsOf(secret: string): string[] {
  if (!/^[a-z][a-z0-9+.-]*:\/\//i.test(secret) || !URL.canParse(secret)) return [secret, withoutPrefix(secret)];
  const { href, pathname, search, hash, username, password } = new URL(secret);
  const path = pathname === "/" ? "" : pathname;
  // Scheme and host alone are no secret.
  if (path + search + hash + username + password === "") return [];
  return [secret, href, path + search + hash, path, search.slice(1), decodeURIComponent(password), password];
}

/** A private key is also one without 0x. */
function withoutPrefix(secret: string): string {
  return secret.startsWith("0x") ? secret.slice(2) : secret;
}
