import { setTimeout as sleep } from "node:timers/promises";
import { Access } from "./access.ts";
import type { Answer } from "./answer.ts";
import { spoilAnswer } from "./answerFaults.ts";
import { AnswerMemory } from "./answerMemory.ts";
import { CreditAccount } from "./creditAccount.ts";
import { editionAt } from "./edition.ts";
import type { Endpoint, EndpointRequest, ServiceState } from "./endpoints/endpoint.ts";
import type { Fault } from "./faults.ts";
import { checkFaultPath, FaultsInForce, type RequestFaults } from "./faultsInForce.ts";
import { type AnsweredRequest, dateHeader, type ReceivedRequest } from "./httpServer.ts";
import { choosePlan, type PlanChoice } from "./plan.ts";
import { RequestLog, type SeenRequest } from "./requestLog.ts";
import { type ClockSetting, ServiceClock } from "./serviceClock.ts";
import type { ServiceControls, ServiceSnapshot } from "./serviceControls.ts";

export type SimulatedServiceOptions = Omit<ServiceState, "credits"> & {
  readonly endpoints: readonly Endpoint[];
  readonly apiKey: string;
  readonly adminKey: string;
  readonly faults: readonly Fault[];
  readonly plan: PlanChoice;
  readonly slowMs: number;
  /** Unix milliseconds. */
  readonly baseMs: () => bigint;
};

/** The service behind its HTTP face: who may ask, what it costs, what goes wrong on demand. */
export class SimulatedService implements ServiceControls {
  readonly requests: Record<string, number>;
  readonly #endpoints: readonly Endpoint[];
  readonly #forEndpoints: ServiceState;
  readonly #clock: ServiceClock;
  readonly #access: Access;
  readonly #memory = new AnswerMemory();
  readonly #log: RequestLog;
  readonly #slowMs: number;
  readonly #closing = new AbortController();
  #faults: FaultsInForce;

  /** @throws InvalidFaultError, InvalidPlanError */
  constructor(options: SimulatedServiceOptions) {
    const { endpoints, apiKey, adminKey, faults, plan: choice, slowMs, baseMs, ...state } = options;
    const plan = choosePlan(choice, endpoints);
    this.requests = Object.fromEntries(endpoints.map(({ path }) => [path, 0]));
    this.#endpoints = endpoints;
    this.#clock = new ServiceClock(baseMs);
    this.#forEndpoints = { ...state, credits: new CreditAccount(plan, this.#clock.nowMs()) };
    this.#access = new Access(apiKey, plan);
    this.#log = new RequestLog([apiKey, adminKey]);
    this.#slowMs = slowMs;
    this.#faults = new FaultsInForce(faults, endpoints);
  }

  async respond(endpoint: Endpoint, request: ReceivedRequest): Promise<Answer> {
    this.requests[endpoint.path] = (this.requests[endpoint.path] ?? 0) + 1;
    // Whoever has been let in keeps the faults of that moment, also when they change while it waits.
    const faults = this.#faults.forRequest(endpoint);
    await this.#wait(faults);
    const clockSkewMs = BigInt(faults.millisecondsOf("clock-skew"));
    const nowMs = this.#clock.nowMs() + clockSkewMs;
    const denied = this.#access.deny(request.authorization, endpoint, faults, nowMs);
    const answer = denied ?? spoilAnswer(this.#answer(endpoint, { ...request, nowMs, clockSkewMs, faults }), faults);
    return { ...answer, headers: { ...answer.headers, date: dateHeader(nowMs) } };
  }

  /** Keeps a request in mind that has been answered, by an endpoint or not. */
  record(request: AnsweredRequest): void {
    this.#log.record(request, this.#access.isAuthorized(request.authorization));
  }

  nowMs(): bigint {
    return this.#clock.nowMs();
  }

  recentRequests(): readonly SeenRequest[] {
    return this.#log.list();
  }

  faults(): readonly Fault[] {
    return this.#faults.list();
  }

  checkFault(fault: Fault): Fault {
    return checkFaultPath(fault, this.#endpoints);
  }

  setFaults(faults: readonly Fault[]): void {
    this.#faults = new FaultsInForce(faults, this.#endpoints);
  }

  addFaults(faults: readonly Fault[]): void {
    this.setFaults([...this.faults(), ...faults]);
  }

  setCredits(remaining: number): void {
    this.#forEndpoints.credits.setRemaining(remaining, this.#clock.nowMs());
  }

  setPlan(choice: PlanChoice): void {
    this.#access.plan = choosePlan(choice, this.#endpoints);
    this.#forEndpoints.credits.change(this.#access.plan, this.#clock.nowMs());
  }

  setClock(setting: ClockSetting): void {
    this.#clock.set(setting);
  }

  state(): ServiceSnapshot {
    const nowMs = this.#clock.nowMs();
    const { credits } = this.#forEndpoints;
    const { date, publishTimeMs, expiryMs } = editionAt(nowMs);
    return {
      nowMs,
      clock: this.#clock.setting,
      edition: { date, publishTimeMs, expiryMs },
      faults: this.faults(),
      plan: this.#access.plan,
      credits: { remaining: credits.remaining(nowMs), cycleEndMs: credits.cycleEndMs(nowMs) },
    };
  }

  /** Lets answers that a fault holds back go at once. */
  stopWaiting(): void {
    this.#closing.abort();
  }

  async #wait(faults: RequestFaults): Promise<void> {
    const waitMs = (faults.has("slow") ? this.#slowMs : 0) + faults.millisecondsOf("latency");
    if (waitMs === 0) return;
    await sleep(waitMs, undefined, { signal: this.#closing.signal }).catch(() => undefined);
  }

  /** What an endpoint says, or said: an answer from a stale cache costs nothing. */
  #answer(endpoint: Endpoint, request: EndpointRequest): Answer {
    const remembered = this.#memory.recall(endpoint, request);
    if (remembered && request.faults.has("stale-cache")) return remembered;
    const answer = endpoint.answer(request, this.#forEndpoints);
    if (!request.faults.haveShapedAnswer) this.#memory.remember(endpoint, request, answer);
    return answer;
  }
}
