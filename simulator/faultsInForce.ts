import type { Endpoint } from "./endpoints/endpoint.ts";
import {
  type Fault,
  type FeedFaultKind,
  feedIdIn,
  formatFault,
  InvalidFaultError,
  isFeedFault,
  type ServiceFaultKind,
  type TimedFaultKind,
} from "./faults.ts";

/** A fault with the number of requests that it will still strike. */
type FaultInForce = { readonly fault: Fault; left: number };

/** The faults that the service shows at present. */
export class FaultsInForce {
  readonly #faults: readonly FaultInForce[];

  /** @throws InvalidFaultError when a fault is limited to a path that no endpoint has. */
  constructor(faults: readonly Fault[], endpoints: readonly Endpoint[]) {
    for (const fault of faults) checkFaultPath(fault, endpoints);
    this.#faults = faults.map((fault) => ({ fault, left: fault.times ?? Number.POSITIVE_INFINITY }));
  }

  /** Those that are not used up, with the number of requests that is left to them. */
  list(): readonly Fault[] {
    return this.#faults
      .filter(({ left }) => left > 0)
      .map(({ fault, left }) => (fault.times === undefined ? fault : { ...fault, times: left }));
  }

  /** What one request for an endpoint meets. */
  forRequest({ path, otherPaths = [] }: Pick<Endpoint, "path" | "otherPaths">): RequestFaults {
    const concerns = ({ fault }: FaultInForce) =>
      fault.path === undefined || fault.path === path || otherPaths.includes(fault.path);
    return new RequestFaults(this.#faults.filter(concerns));
  }
}

/**
 * Returns the fault when the endpoint to which it is limited exists, if it is limited to any.
 * @throws InvalidFaultError
 */
export function checkFaultPath(fault: Fault, endpoints: readonly Endpoint[]): Fault {
  if (fault.path === undefined) return fault;
  const paths = endpoints.flatMap(({ path, otherPaths = [] }) => [path, ...otherPaths]);
  if (paths.includes(fault.path)) return fault;
  throw new InvalidFaultError(formatFault(fault), `no endpoint has the path ${fault.path}`);
}

/** The faults that one request meets. A fault for so many requests counts this one as soon as it is asked for and found. */
export class RequestFaults {
  readonly #faults: readonly FaultInForce[];
  readonly #struck = new Set<FaultInForce>();

  constructor(faults: readonly FaultInForce[]) {
    this.#faults = faults;
  }

  /** Whether the whole request meets a fault. To be asked only where the fault would take effect. */
  has(kind: ServiceFaultKind): boolean {
    return this.#strike((fault) => fault.kind === kind && feedIdIn(fault) === undefined).length > 0;
  }

  /**
   * What is wrong with a feed, in the order in which it was given and each but once.
   * @param among The kinds that would take effect; default all.
   */
  ofFeed(feedId: bigint, among?: readonly FeedFaultKind[]): readonly FeedFaultKind[] {
    // A fault that names no feed concerns every one.
    const struck = this.#strike((fault) => {
      const kind = feedFaultOf(fault);
      return kind !== undefined && (among?.includes(kind) ?? true) && (feedIdIn(fault) ?? feedId) === feedId;
    });
    return [...new Set(struck.map(feedFaultOf).filter((kind) => kind !== undefined))];
  }

  /** Milliseconds of all faults of a kind together; 0 when there is none. */
  millisecondsOf(kind: TimedFaultKind): number {
    const struck = this.#strike((fault) => fault.kind === kind);
    return struck.reduce((sum, fault) => sum + ("milliseconds" in fault ? fault.milliseconds : 0), 0);
  }

  /** Whether a fault had a part so far in what is answered, and not only in when. */
  get haveShapedAnswer(): boolean {
    return [...this.#struck].some(({ fault: { kind } }) => kind !== "slow" && kind !== "latency");
  }

  #strike(concerns: (fault: Fault) => boolean): Fault[] {
    const struck = this.#faults.filter((entry) => concerns(entry.fault) && (entry.left > 0 || this.#struck.has(entry)));
    for (const entry of struck) {
      if (this.#struck.has(entry)) continue;
      this.#struck.add(entry);
      entry.left -= 1;
    }
    return struck.map(({ fault }) => fault);
  }
}

/** The kind under which a fault strikes feeds, or `undefined` for one that concerns requests as a whole. */
function feedFaultOf(fault: Fault): FeedFaultKind | undefined {
  if (fault.kind === "yesterday") return "late-edition";
  if (!isFeedFault(fault.kind)) return undefined;
  // Without a feed, a server error is the whole service's.
  return fault.kind === "server-error" && feedIdIn(fault) === undefined ? undefined : fault.kind;
}
