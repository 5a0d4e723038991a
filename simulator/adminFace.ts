import * as z from "zod";
import { HomePriceError } from "../relayer/errors/HomePriceError.ts";
import { formatTimeMs } from "../relayer/message/timeWindows.ts";
import {
  type Answer,
  type Answered,
  detailAnswer,
  jsonAnswer,
  type ValidationProblem,
  validationAnswer,
} from "./answer.ts";
import { parseBody, valueProblem } from "./bodyValidation.ts";
import { type Fault, formatFault, parseFault } from "./faults.ts";
import type { ReceivedRequest, Route } from "./httpServer.ts";
import { isLoopback } from "./loopback.ts";
import { PLAN_NAMES } from "./plan.ts";
import { sameSecret } from "./sameSecret.ts";
import type { ClockSetting } from "./serviceClock.ts";
import type { ServiceControls } from "./serviceControls.ts";

/** Where the face is that the simulated service does not have, but its simulator. */
export const ADMIN_PATH = "/admin";

const MOST_CREDITS = 1_000_000_000_000;
const MOST_REQUESTS_PER_MINUTE = 1_000_000_000;
/** A hundred years either way. */
const MOST_OFFSET_MS = 36_525 * 86_400_000;

const count = (most: number) => z.int().min(0).max(most);

const faultsBody = z.strictObject({ faults: z.array(z.string()) });
const creditsBody = z.strictObject({ remaining: count(MOST_CREDITS) });
const planBody = z.strictObject({
  name: z.enum(PLAN_NAMES).exactOptional(),
  credits: count(MOST_CREDITS).exactOptional(),
  cycleDays: z.int().min(1).max(36_525).exactOptional(),
  rollsOver: z.boolean().exactOptional(),
  requestsPerMinute: count(MOST_REQUESTS_PER_MINUTE).nullable().exactOptional(),
  searchesPerMinute: count(MOST_REQUESTS_PER_MINUTE).nullable().exactOptional(),
  sendsRetryAfter: z.boolean().exactOptional(),
  withoutEndpoints: z.array(z.string()).exactOptional(),
});
const clockBody = z
  .strictObject({
    offsetMs: z.int().min(-MOST_OFFSET_MS).max(MOST_OFFSET_MS).optional(),
    time: z.iso.datetime({ offset: true }).regex(/^20/, "Give a time of this century").optional(),
  })
  .refine(({ offsetMs, time }) => (offsetMs === undefined) !== (time === undefined), "Give either offsetMs or time");

export type AdminFaceOptions = {
  readonly adminKey: string;
  readonly controls: ServiceControls;
  readonly rentalOffset: bigint;
  /** What the service tells nobody who asks in the ordinary way. */
  readonly publicKeys: { readonly publicKey: string; readonly rotatedPublicKey: string };
};

/**
 * The routes under {@link ADMIN_PATH}: what a running service has been asked, and everything about it that can be
 * changed while it runs. Only for this computer, and only with the admin key as the whole Authorization header.
 */
export function adminRoutes({ adminKey, controls, rentalOffset, publicKeys }: AdminFaceOptions): Route[] {
  const route = (method: Route["method"], path: string, handle: (request: ReceivedRequest) => Answer): Route => ({
    method,
    path: `${ADMIN_PATH}/${path}`,
    handle: (request) => denyAdmin(request, adminKey) ?? handle(request),
  });
  const faultsAnswer = () => jsonAnswer(200, { faults: controls.faults().map(formatFault) });
  const withFaults = (set: (faults: readonly Fault[]) => void) => (request: ReceivedRequest) => {
    const faults = parseFaults(request.bodyText, rentalOffset, controls);
    if (!faults.ok) return faults.answer;
    set(faults.value);
    return faultsAnswer();
  };
  return [
    route("GET", "faults", faultsAnswer),
    route(
      "PUT",
      "faults",
      withFaults((faults) => controls.setFaults(faults)),
    ),
    route(
      "POST",
      "faults",
      withFaults((faults) => controls.addFaults(faults)),
    ),
    route("DELETE", "faults", () => {
      controls.setFaults([]);
      return faultsAnswer();
    }),
    route("GET", "requests", () => jsonAnswer(200, { counts: controls.requests, recent: controls.recentRequests() })),
    route("PUT", "credits", ({ bodyText }) => {
      const body = parseBody(creditsBody, bodyText);
      if (!body.ok) return body.answer;
      controls.setCredits(body.value.remaining);
      return jsonAnswer(200, describeCredits(controls));
    }),
    route("PUT", "plan", ({ bodyText }) => {
      const body = parseBody(planBody, bodyText);
      if (!body.ok) return body.answer;
      const problem = problemOf(["withoutEndpoints"], body.value.withoutEndpoints, () => controls.setPlan(body.value));
      return problem ? validationAnswer(problem) : jsonAnswer(200, controls.state().plan);
    }),
    route("PUT", "clock", ({ bodyText }) => {
      const body = parseBody(clockBody, bodyText);
      if (!body.ok) return body.answer;
      const { offsetMs = 0, time } = body.value;
      controls.setClock(time === undefined ? { offsetMs: BigInt(offsetMs) } : { fixedMs: BigInt(Date.parse(time)) });
      return jsonAnswer(200, describeClock(controls));
    }),
    route("GET", "state", () =>
      jsonAnswer(200, {
        clock: describeClock(controls),
        edition: describeEdition(controls),
        faults: controls.faults().map(formatFault),
        plan: controls.state().plan,
        credits: describeCredits(controls),
        requests: controls.requests,
        ...publicKeys,
      }),
    ),
  ];
}

/** Anybody but this computer finds nothing here; anybody on it needs the key. */
function denyAdmin({ remoteAddress, authorization }: ReceivedRequest, adminKey: string): Answer | undefined {
  if (!isLoopback(remoteAddress)) return detailAnswer(404, "Not Found");
  if (authorization === undefined) return detailAnswer(401, "Authorization header missing");
  return sameSecret(authorization, adminKey) ? undefined : detailAnswer(401, "Invalid admin key");
}

function parseFaults(bodyText: string, rentalOffset: bigint, controls: ServiceControls): Answered<Fault[]> {
  const body = parseBody(faultsBody, bodyText);
  if (!body.ok) return body;
  const faults: Fault[] = [];
  const problems = body.value.faults.flatMap((text, index) => {
    const problem = problemOf(["faults", index], text, () => {
      faults.push(controls.checkFault(parseFault(text, rentalOffset)));
    });
    return problem ?? [];
  });
  return problems.length > 0 ? { ok: false, answer: validationAnswer(...problems) } : { ok: true, value: faults };
}

/** What is wrong with a value when an attempt to use it is refused. */
function problemOf(
  loc: readonly (string | number)[],
  input: unknown,
  attempt: () => void,
): ValidationProblem | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    if (!(error instanceof HomePriceError)) throw error;
    return valueProblem(loc, input, `${error.message}. ${error.hint}`);
  }
}

function describeClock(controls: ServiceControls): Record<string, unknown> {
  const { nowMs, clock } = controls.state();
  return { now: formatTimeMs(nowMs), ...settingJson(clock) };
}

function settingJson(clock: ClockSetting): Record<string, unknown> {
  return "fixedMs" in clock ? { time: formatTimeMs(clock.fixedMs) } : { offsetMs: Number(clock.offsetMs) };
}

function describeEdition(controls: ServiceControls): Record<string, unknown> {
  const { date, publishTimeMs, expiryMs } = controls.state().edition;
  return { date, publishTime: formatTimeMs(publishTimeMs), expiry: formatTimeMs(expiryMs) };
}

function describeCredits(controls: ServiceControls): Record<string, unknown> {
  const { remaining, cycleEndMs } = controls.state().credits;
  return { remaining, cycleEnd: formatTimeMs(cycleEndMs) };
}
