import type { Answer } from "../../simulator/answer.ts";
import type { Endpoint } from "../../simulator/endpoints/endpoint.ts";
import type { SimulatedService } from "../../simulator/simulatedService.ts";
import { NoAnswer } from "../network/noAnswer.ts";
import type { Site, SiteRequest } from "../network/simulatedNetwork.ts";

const LATENCY_MS = [30, 900] as const;

/** The simulated price service, without its HTTP server: requests reach it through the simulated network. */
export function priceServiceSite({
  service,
  endpoints,
  isReachable,
  onAnswer,
}: {
  readonly service: SimulatedService;
  readonly endpoints: readonly Endpoint[];
  /** Whether requests get an answer at all. */
  readonly isReachable: () => boolean;
  readonly onAnswer: () => void;
}): Site {
  return {
    kind: "service",
    latencyMs: LATENCY_MS,
    describe: ({ method, url }) => `${method} ${url.pathname}`,
    async answer(request) {
      onAnswer();
      if (!isReachable()) throw new NoAnswer("silence");
      const endpoint = endpoints.find((each) => each.path === request.url.pathname && each.method === request.method);
      if (!endpoint) return { status: 404, contentType: "application/json", text: '{"detail":"Not Found"}' };
      return siteAnswer(await service.respond(endpoint, received(request)));
    },
  };
}

function received({ url, headers, body }: SiteRequest) {
  return {
    authorization: headers.get("authorization") ?? undefined,
    remoteAddress: "192.0.2.1",
    origin: url.origin,
    path: url.pathname,
    pathParameters: {},
    query: url.searchParams,
    bodyText: body,
  };
}

function siteAnswer({ status, contentType, text, headers, isCutOff }: Answer) {
  return { status, contentType, text, isCutOff, ...(headers && { headers }) };
}
