import type { Fault } from "./faults.ts";
import type { Plan, PlanChoice } from "./plan.ts";
import type { SeenRequest } from "./requestLog.ts";
import type { ClockSetting } from "./serviceClock.ts";

/** What can be seen and changed of a service that runs, by its program and over its admin face. */
export type ServiceControls = {
  /** Requests received so far by the path of the endpoint, refused ones included. */
  readonly requests: Readonly<Record<string, number>>;
  /** The last hundred requests, oldest first, those included that no endpoint answered. */
  recentRequests(): readonly SeenRequest[];
  /** The faults in force, with the number of requests that is left to those that end. */
  faults(): readonly Fault[];
  /**
   * The fault itself, if this service can show it.
   * @throws InvalidFaultError when it is limited to a path that no endpoint has.
   */
  checkFault(fault: Fault): Fault;
  /**
   * Replaces the faults in force.
   * @throws InvalidFaultError
   */
  setFaults(faults: readonly Fault[]): void;
  /**
   * Adds to the faults in force.
   * @throws InvalidFaultError
   */
  addFaults(faults: readonly Fault[]): void;
  /** Changes what is left of this cycle's credits. */
  setCredits(remaining: number): void;
  /**
   * Changes the account's plan and begins its first cycle.
   * @throws InvalidPlanError
   */
  setPlan(choice: PlanChoice): void;
  /** Puts the service's clock forward or back, or stops it. */
  setClock(setting: ClockSetting): void;
  state(): ServiceSnapshot;
};

/** How a service stands at a moment; times in Unix milliseconds. */
export type ServiceSnapshot = {
  readonly nowMs: bigint;
  readonly clock: ClockSetting;
  /** The newest edition that is out. */
  readonly edition: { readonly date: string; readonly publishTimeMs: bigint; readonly expiryMs: bigint };
  readonly faults: readonly Fault[];
  readonly plan: Plan;
  readonly credits: { readonly remaining: number; readonly cycleEndMs: bigint };
};
