/** A request that gets no answer: the connection is refused, or nothing is heard until the client gives up. */
export class NoAnswer extends Error {
  readonly reason: "refused" | "silence";

  constructor(reason: "refused" | "silence") {
    super(reason === "refused" ? "connection refused" : "no answer");
    this.reason = reason;
  }
}
