/** What a worker process is to simulate. */
export type SimulationTask = {
  readonly seed: string;
  readonly days: number;
  /** Name of the mutation of the relayer's code; none for the code as it is. */
  readonly mutation?: string | undefined;
  /** Ends with the first violation. */
  readonly stopAtViolation?: boolean | undefined;
};
