/** Something that is wrong with a configuration, and what to do about it. */
export type Problem = { readonly code: string; readonly message: string; readonly hint: string };
