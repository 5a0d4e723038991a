/** A request as its schema has read it, under the names of the specification. */
export type RequestValues = Readonly<Record<string, unknown>>;

/** What rules need to know beside the request. */
export type RuleContext = {
  /** The market that is the whole nation. */
  readonly nationwideMarketId: bigint;
};

/** Where a request breaks a rule, and with what. */
export type RuleBreach = {
  /** Path of the field, dots leading into nested ones. */
  readonly at: string;
  readonly value: unknown;
  /** What is wrong, and what to do about it. */
  readonly message: string;
};

/** A rule of the service that is checked before a request leaves: what a schema of single fields cannot say. */
export type RequestRule = {
  /** Stable, for programs and documents. */
  readonly name: string;
  /** One sentence for documents. */
  readonly statement: string;
  /** Set where the service does not refuse such a request, and merely finds nothing. */
  readonly findsNothing?: true;
  /** Where the request breaks it, if it does. */
  readonly breach: (request: RequestValues, context: RuleContext) => RuleBreach | undefined;
};
