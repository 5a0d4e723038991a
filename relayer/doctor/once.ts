/** A function that runs at its first call and gives the same result ever after; a promise that fails is such a result. */
export function once<Result>(run: () => Result): () => Result {
  let result: { readonly value: Result } | undefined;
  return () => {
    result ??= { value: run() };
    return result.value;
  };
}
