/** What became of one of several questions: `undefined` when it was not waited for any longer. */
export type Settled<T> = { readonly value: T } | { readonly error: unknown } | undefined;

/**
 * Waits for the answers to questions that were asked at the same time, but not for ever: once the first that is good
 * enough is there, the others have `patienceMs` left. None is cancelled; what comes too late is dropped.
 */
export function settleSoon<T>(
  questions: readonly Promise<T>[],
  patienceMs: number,
  isEnough: (value: T) => boolean = () => true,
): Promise<Settled<T>[]> {
  return new Promise((resolve) => {
    const settled: Settled<T>[] = questions.map(() => undefined);
    let open = questions.length;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const finish = () => {
      clearTimeout(timer);
      resolve([...settled]);
    };
    if (open === 0) finish();
    const settle = (index: number, outcome: Settled<T>, isGood: boolean) => {
      settled[index] = outcome;
      open -= 1;
      if (open === 0) finish();
      else if (isGood) timer ??= setTimeout(finish, patienceMs);
    };
    questions.forEach((question, index) => {
      question.then(
        (value) => settle(index, { value }, isEnough(value)),
        (error: unknown) => settle(index, { error }, false),
      );
    });
  });
}
