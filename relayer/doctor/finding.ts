import type { HomePriceError } from "../errors/HomePriceError.ts";

/** What a check came to. Only `failed` makes the doctor fail; `skipped` means that it could not be looked at. */
export type CheckStatus = "ok" | "warning" | "failed" | "skipped";

/** What one check found, in the user's words, and what to do about it where something is to be done. */
export type Finding =
  | { readonly status: "ok" | "skipped"; readonly found: string }
  | { readonly status: "warning" | "failed"; readonly found: string; readonly hint: string };

export function ok(found: string): Finding {
  return { status: "ok", found };
}

/** It works, but not for long, or not as it should. */
export function warning(found: string, hint: string): Finding {
  return { status: "warning", found, hint };
}

export function failed(found: string, hint: string): Finding {
  return { status: "failed", found, hint };
}

/** @param found Why it could not be looked at. */
export function skipped(found: string): Finding {
  return { status: "skipped", found };
}

/** An error of ours says already what is wrong and what to do. */
export function failedWith({ message, hint }: HomePriceError): Finding {
  return failed(message, hint);
}
