/** A defect that is put into the relayer's code on purpose, to see whether the simulation notices. */
export type Mutation = {
  readonly name: string;
  /** What would happen to people. */
  readonly description: string;
  readonly changes: readonly SourceChange[];
};

/** A replacement in one source file. What is to be replaced must occur there exactly once. */
export type SourceChange = {
  /** Path from the root of the project. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
};
