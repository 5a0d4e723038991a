import { expect } from "vitest";

/** What a call throws. Fails if it does not, or throws an error of another class. */
export async function failureOf<error extends Error>(
  call: Promise<unknown>,
  // biome-ignore lint/suspicious/noExplicitAny: whatever a class is made from.
  type: abstract new (...args: any[]) => error,
): Promise<error> {
  const thrown: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(thrown).toBeInstanceOf(type);
  return thrown as error;
}
