import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { FIELD_RULES } from "../../relayer/service/checkRequest.ts";
import type { Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import { fetchAll } from "../../relayer/service/fetchItems.ts";
import { type FetchPageOptions, fetchPage, type ServiceItemOf } from "../../relayer/service/fetchPage.ts";
import type { ServicePage } from "../../relayer/service/readPage.ts";
import { RequestRuleError } from "../../relayer/service/requestRuleError.ts";
import type { ServiceClient } from "../../relayer/service/serviceClient.ts";
import type { PriceService } from "../../simulator/priceService.ts";
import { changedAt, changedRequest } from "./contract/changedRequest.ts";
import { clientOf, findKnown, type Known, sendUnchecked, startContractService } from "./contract/contractService.ts";
import { EXAMPLES, type Example, type Sent } from "./contract/examples.ts";
import { type FieldViolation, fieldViolations } from "./contract/fieldViolations.ts";
import { RULE_VIOLATIONS } from "./contract/ruleViolations.ts";
import { rejectionOf } from "./priceServer.ts";

/**
 * The contract between client and service, one chapter for each row of the endpoint table: the client against the
 * simulator, over real HTTP. What a new row needs beside its schemas is an example; what a new rule needs, a violation.
 */

type Values = Readonly<Record<string, unknown>>;

let service: PriceService;
/** The same world behind other names, and behind the other form of v2. */
let renamed: PriceService;
let observed: PriceService;
let known: Known;

beforeAll(async () => {
  [service, renamed, observed] = await Promise.all([
    startContractService(),
    startContractService({ idPrefix: "acme" }),
    startContractService({ v2Answers: "properties" }),
  ]);
  known = await findKnown(service);
});
afterAll(() => Promise.all([service, renamed, observed].map((started) => started.close())));

/** The example of a row, whose own types do not matter here. */
function exampleOf(name: EndpointName): Example & { readonly request: Values } {
  const example: ((known: Known) => Example) | undefined = EXAMPLES[name];
  if (!example) throw new Error(`nobody has given an example of ${name}`);
  return example(known) as Example & { readonly request: Values };
}

function ask(
  client: ServiceClient,
  name: EndpointName,
  request: Values,
  options?: FetchPageOptions,
): Promise<ServicePage<ServiceItemOf<EndpointName>>> {
  return fetchPage(client, name, request as never, options);
}

function askForAll(client: ServiceClient, name: EndpointName, request: Values): Promise<ServiceItemOf<EndpointName>[]> {
  return fetchAll(client, name, request as never);
}

/** The last request, as the service saw it. */
function lastRequest({ recentRequests }: PriceService): Sent & { method: string; authorization: string } {
  const last = recentRequests().at(-1);
  if (!last) throw new Error("the service has seen no request");
  const { method, path, query, authorization, body } = last;
  return { method, path, query, authorization, ...(body !== "" && { body: JSON.parse(body) }) };
}

function countRequests({ requests }: PriceService): number {
  return Object.values(requests).reduce((sum, count) => sum + count, 0);
}

describe("the suite", () => {
  test("has an example for every row, and for nothing else", () => {
    expect(Object.keys(EXAMPLES).sort()).toEqual([...ENDPOINT_NAMES].sort());
  });

  test("has a violation for every rule, and for nothing else", () => {
    const rules = ENDPOINT_NAMES.flatMap((name) => ENDPOINTS[name].rules.map((rule) => rule.name));
    expect(Object.keys(RULE_VIOLATIONS).sort()).toEqual([...new Set(rules)].sort());
  });

  test("breaks every rule of fields somewhere", () => {
    const broken = ENDPOINT_NAMES.flatMap((name) => fieldViolations(ENDPOINTS[name]).map(({ rule }) => rule));
    expect([...new Set(broken)].sort()).toEqual(Object.keys(FIELD_RULES).sort());
  });

  test("knows every row's schemas: strict requests, open records", () => {
    for (const name of ENDPOINT_NAMES) {
      const { request, item }: Endpoint = ENDPOINTS[name];
      const codes = request.safeParse({ colour: 1 }).error?.issues.map(({ code }) => code);
      expect([name, codes]).toEqual([name, expect.arrayContaining(["unrecognized_keys"])]);
      expect([name, item instanceof z.ZodObject && item.def.catchall instanceof z.ZodUnknown]).toEqual([name, true]);
    }
  });
});

describe.each(ENDPOINT_NAMES)("%s", (name) => {
  const endpoint: Endpoint = ENDPOINTS[name];
  const { otherPaths, idList, page, cost } = endpoint;

  test("sends what its row says", async () => {
    const { request, sent } = exampleOf(name);
    await ask(clientOf(service), name, request);
    expect(lastRequest(service)).toEqual({ method: endpoint.method, authorization: "valid", ...sent });
  });

  test("reads what the simulator answers", async () => {
    const { request, fields, echo = {}, dated } = exampleOf(name);
    const { items, total, account, echo: echoed } = await ask(clientOf(service), name, request);
    expect(items.length).toBeGreaterThan(0);
    for (const item of items) for (const field of fields) expect(item).toHaveProperty(field);
    expect(echoed).toEqual(echo);
    expect(total ?? items.length).toBeGreaterThanOrEqual(items.length);
    expect(account).toEqual({ creditsUsed: creditsFor(items), creditsRemaining: service.state().credits.remaining });
    if (!dated) return;
    const { marketIds = [undefined], dates } = dated;
    const rows = items.map((item) => [Reflect.get(item, "svc_id"), Reflect.get(item, "date")]);
    expect(rows).toEqual(marketIds.flatMap((marketId) => dates.map((date) => [marketId, date])));
  });

  function creditsFor(items: readonly ServiceItemOf<EndpointName>[]): number {
    if (cost === "free") return 0;
    return cost === "property" ? new Set(idsOf(items)).size : items.length;
  }

  if (page !== undefined) {
    test("gives the same in small pages as in one", async () => {
      const { request } = exampleOf(name);
      const whole = await ask(clientOf(service), name, { ...request, limit: page.most });
      const before = countRequests(service);
      const limit = Math.ceil(whole.items.length / 3);
      expect(await askForAll(clientOf(service), name, { ...request, limit })).toEqual(whole.items);
      expect(countRequests(service) - before).toBeGreaterThanOrEqual(3);
      const [first, second] = whole.items;
      expect((await ask(clientOf(service), name, { ...request, limit: 1, offset: 1 })).items).toEqual([second]);
      expect((await ask(clientOf(service), name, { ...request, limit: 1 })).items).toEqual([first]);
    });
  } else {
    test("gives everything at once", async () => {
      const { request } = exampleOf(name);
      const { items } = await ask(clientOf(service), name, request);
      const before = countRequests(service);
      expect(await askForAll(clientOf(service), name, request)).toEqual(items);
      expect(countRequests(service) - before).toBe(1);
    });
  }

  test("finds nothing where there is nothing: 404, an empty page", async () => {
    const { request, findingNothing } = exampleOf(name);
    const remaining = service.state().credits.remaining;
    const { items } = await ask(clientOf(service), name, { ...request, ...findingNothing });
    expect(items).toEqual([]);
    expect(service.recentRequests().at(-1)?.status).toBe(404);
    expect(service.state().credits.remaining).toBe(remaining);
  });

  if (idList !== undefined) {
    test("is silent about ids that nobody has", async () => {
      const { request, findingNothing } = exampleOf(name);
      const { items } = await ask(clientOf(service), name, request);
      const [list, unknown] = [request[idList.field], Reflect.get(findingNothing, idList.field)] as unknown[][];
      const mixed = await ask(clientOf(service), name, {
        ...request,
        [idList.field]: [...(unknown ?? []), ...(list ?? [])],
      });
      // An address without a match is answered without an id.
      expect(mixed.items.filter((item) => Reflect.get(item, "svc_property_id") !== null)).toEqual(items);
      expect(mixed.account?.creditsUsed).toBe(creditsFor(items));
    });
  }

  test("answers the same to the spelling of public clients", async () => {
    const { request, sent, sentByPublicClients } = exampleOf(name);
    const { items } = await ask(clientOf(service), name, request);
    const theirs = clientOf(service, { requestSpelling: "public-clients" });
    expect((await ask(theirs, name, request)).items).toEqual(items);
    expect(lastRequest(service)).toMatchObject({ ...sent, ...sentByPublicClients });
    if (endpoint.bodyField === undefined) return;
    expect((await ask(clientOf(service, { addressListName: "addresses" }), name, request)).items).toEqual(items);
    expect(lastRequest(service).body).toEqual({ addresses: sent.body });
  });

  test("answers the same behind another word for the maker", async () => {
    const { request } = exampleOf(name);
    const { items, echo } = await ask(clientOf(service), name, request);
    const theirs = await ask(clientOf(renamed, { idPrefix: "acme" }), name, request);
    expect(theirs.items).toEqual(items);
    expect(theirs.echo).toEqual(echo);
    expect(JSON.stringify(renamed.recentRequests().at(-1))).not.toMatch(/svc/i);
    const ofSvc = await sendUnchecked(renamed, endpoint, request);
    const isNamed = /"?svc_/i.test(JSON.stringify([lastRequest(renamed).query, lastRequest(renamed).body]));
    expect(ofSvc.status).toBe(isNamed ? 422 : 200);
  });

  for (const { path } of otherPaths) {
    test(`answers the same at ${path}`, async () => {
      const { request, sent } = exampleOf(name);
      const { items } = await ask(clientOf(service), name, request);
      expect((await ask(clientOf(service), name, request, { path })).items).toEqual(items);
      expect(lastRequest(service)).toEqual({ method: endpoint.method, authorization: "valid", ...sent, path });
    });
  }

  test("needs the key, and a plan that includes it", async () => {
    const { request } = exampleOf(name);
    const stranger = clientOf(service, { apiKey: "another" });
    expect(await rejectionOf(ask(stranger, name, request))).toMatchObject({ code: "API_UNAUTHORIZED", status: 401 });
    const { plan } = service.state();
    for (const path of [endpoint.path, ...otherPaths.map((other) => other.path)]) {
      service.setPlan({ ...plan, withoutEndpoints: [path] });
      const error = await rejectionOf(ask(clientOf(service), name, request));
      service.setPlan(plan);
      expect(error).toMatchObject({ code: "API_FORBIDDEN", status: 403 });
    }
  });

  test(cost === "free" ? "is free of credits" : "is refused before it runs when credits are short", async () => {
    const { request } = exampleOf(name);
    const { plan } = service.state();
    const { account } = await ask(clientOf(service), name, request);
    const needed = account?.creditsUsed ?? Number.NaN;
    service.setCredits(Math.max(0, needed - 1));
    const outcome = ask(clientOf(service), name, request);
    if (cost === "free") {
      expect((await outcome).account).toEqual({ creditsUsed: 0, creditsRemaining: 0 });
    } else {
      expect(await rejectionOf(outcome)).toMatchObject({
        code: "API_CREDITS_EXHAUSTED",
        status: 429,
        retryable: false,
        message: expect.stringContaining(`${needed} credits needed, ${needed - 1} credits remaining`),
      });
      expect(service.state().credits.remaining).toBe(needed - 1);
      service.setCredits(needed);
      expect((await ask(clientOf(service), name, request)).account?.creditsRemaining).toBe(0);
    }
    service.setPlan(plan);
  });

  const violations = Object.groupBy(fieldViolations(endpoint), ({ rule }) => rule);
  for (const [rule, broken = []] of Object.entries(violations)) {
    test(`breaks rule ${rule}`, async () => {
      for (const violation of broken) await breaksField(violation);
    });
  }

  async function breaksField(violation: FieldViolation): Promise<void> {
    const { rule, path, at, value, inBody, asText } = violation;
    const request = changedAt(exampleOf(name).request, path, value) as Values;
    const before = countRequests(service);
    const error = await rejectionOf(ask(clientOf(service), name, request));
    expect(error).toBeInstanceOf(RequestRuleError);
    expect((error as RequestRuleError).problems).toContainEqual(expect.objectContaining({ rule, at, value }));
    expect(countRequests(service)).toBe(before);

    const part = partOf(endpoint, String(path[0]));
    const type = part === "body" ? inBody : asText;
    if (type === undefined || !isSayable(violation, part)) return;
    await expectRefusal(request, type, [part, ...path.slice(endpoint.bodyField === undefined ? 0 : 1)]);
  }

  /** Whether the violation is one over HTTP, too, where the service would see it. */
  function isSayable({ path, value, rule }: FieldViolation, part: string): boolean {
    // A path without its market is another path.
    if (part === "path" && value === undefined) return false;
    // A body that is a bare list has no fields of its own.
    if (endpoint.bodyField !== undefined && path.length === 1) return rule.startsWith("field-");
    // Market search takes a parameter without a value as absent.
    return !(value === "" && endpoint.request === ENDPOINTS["search/markets"].request);
  }

  for (const { name: rule } of endpoint.rules) {
    test(`breaks rule ${rule}`, async () => {
      const violation = RULE_VIOLATIONS[rule];
      if (!violation) throw new Error(`nobody has said how to break ${rule}`);
      const { change, at, value, service: answer } = violation;
      const request = changedRequest(exampleOf(name).request, change);
      const before = countRequests(service);
      const error = await rejectionOf(ask(clientOf(service), name, request));
      expect(error).toBeInstanceOf(RequestRuleError);
      const problems = [{ rule, at, value, message: expect.any(String) }];
      expect(error).toMatchObject({ code: "REQUEST_RULE_BROKEN", endpoint: name, problems });
      expect((error as Error).message).toContain(rule);
      expect(countRequests(service)).toBe(before);

      if (answer === "finds nothing") {
        expect((await sendUnchecked(service, endpoint, request)).status).toBe(404);
        return;
      }
      const [field = ""] = at.split(".");
      const loc = endpoint.bodyField === at ? ["body"] : [partOf(endpoint, field), ...at.split(".")];
      await expectRefusal(request, answer, loc);
    });
  }

  /** The service refuses the same, in the form in which it was seen to. */
  async function expectRefusal(request: Values, type: string, loc: readonly unknown[]): Promise<void> {
    const response = await sendUnchecked(service, endpoint, request);
    const { detail } = (await response.json()) as { detail: unknown };
    expect([response.status, detail]).toEqual([422, expect.any(Array)]);
    expect(detail).toContainEqual(expect.objectContaining({ type, loc, msg: expect.any(String) }));
  }
});

describe("property search v2", () => {
  test("reads the same in both forms that the service is known to answer in", async () => {
    const { request } = exampleOf("property_search/v2");
    const inItems = await ask(clientOf(service), "property_search/v2", request);
    const inData = await ask(clientOf(observed), "property_search/v2", request);
    const shared = (page: typeof inItems) =>
      page.items.map((item) => {
        const { svc_property_id, property_metadata: details, events } = item as ServiceItemOf<"property_search/v2">;
        return { svc_property_id, latitude: details?.latitude, has_pool: details?.has_pool, events };
      });
    expect(shared(inData)).toEqual(shared(inItems));
    expect(shared(inData).every(({ events }) => (events?.length ?? 0) > 0)).toBe(true);
    expect(inData.account?.creditsUsed).toBe(inItems.account?.creditsUsed);
    // Only one of them says how many there are in all.
    expect([inItems.total, inData.total]).toEqual([undefined, inData.items.length]);
    const pages = await askForAll(clientOf(observed), "property_search/v2", { ...request, limit: 2 });
    expect(pages).toEqual(inData.items);
  });
});

function idsOf(items: readonly ServiceItemOf<EndpointName>[]): unknown[] {
  return items.map((item) => Reflect.get(item, "svc_property_id"));
}

function partOf({ method, path, queryFields }: Endpoint, field: string): "path" | "query" | "body" {
  if (path.includes(`{${field}}`)) return "path";
  return method === "GET" || queryFields.includes(field) ? "query" : "body";
}
