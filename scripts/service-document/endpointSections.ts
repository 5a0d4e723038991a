import type * as z from "zod";
import type { CreditCost, Endpoint } from "../../relayer/service/endpoints/endpoint.ts";
import { ENDPOINT_NAMES, ENDPOINTS, type EndpointName } from "../../relayer/service/endpoints/endpointTable.ts";
import type { RequestRule } from "../../relayer/service/rules/requestRule.ts";
import { recordTable, requestTable, SHARED_RECORDS, sharedRecordOf } from "./fieldTables.ts";
import { inCode, linkTo, number, table } from "./markdown.ts";

const COSTS: Readonly<Record<CreditCost, string>> = {
  free: "none",
  row: "1 a row",
  property: "1 a property",
  price: "1 a price",
};

/** Every endpoint in a line. */
export function overviewTable(): string {
  return table(
    ["endpoint", "request", "rows a page (usual, most)", "ids", "credits", "new rows", "begins"],
    ENDPOINT_NAMES.map((name) => {
      const endpoint: Endpoint = ENDPOINTS[name];
      const { page, idList, cost, cadence, dataStart, deprecated } = endpoint;
      return [
        // Both endpoints of a series have one section.
        `${linkTo(name.replace(/\/bulk$/, ""), name)}${deprecated === undefined ? "" : " (deprecated)"}`,
        pathOf(endpoint),
        page ? `${number(page.usual)}, ${number(page.most)}` : "",
        idList ? number(idList.most) : "",
        COSTS[cost],
        cadence ?? "",
        dataStart ?? "",
      ];
    }),
  );
}

/** A section for each of these endpoints. */
export function endpointSections(names: readonly EndpointName[]): string {
  return names.map((name, index) => endpointSection(name, names.slice(0, index))).join("\n\n");
}

/** Records that several endpoints share. */
export function sharedRecordSections(): string {
  return SHARED_RECORDS.map(({ heading, schema }) => `### ${heading}\n\n${recordTable(schema, heading)}`).join("\n\n");
}

/** `GET /v1/…` */
export function pathOf({ method, path }: Endpoint): string {
  return `\`${method} ${path}\``;
}

export function otherPathLines({ otherPaths }: Endpoint): string[] {
  return otherPaths.map(({ path, why, isPublicClients }) => {
    const spelling = isPublicClients ? '; taken with `requestSpelling: "public-clients"`' : "";
    return `- also \`${path}\`: ${why}${spelling}`;
  });
}

/** The record of an answer, or a link to where it is. */
export function recordPart(item: z.ZodType, name: string): string {
  const shared = sharedRecordOf(item);
  return shared ? `Records: ${linkTo(shared.heading, shared.heading.toLowerCase())}.` : recordTable(item, name);
}

export function ruleList(rules: readonly RequestRule[]): string {
  return ["Rules:", "", ...rules.map(({ name, statement }) => `- \`${name}\`: ${statement}`)].join("\n");
}

/** What the service says of an endpoint that it wants used no more. */
export function deprecationPart({ deprecated }: Endpoint): string[] {
  return deprecated === undefined ? [] : [`**Deprecated**: ${deprecated}.`];
}

/** @param earlier Endpoints of sections above, whose tables need not be repeated. */
function endpointSection(name: EndpointName, earlier: readonly EndpointName[]): string {
  const endpoint: Endpoint = ENDPOINTS[name];
  const same = earlier.find((other) => isAskedAndAnsweredAlike(endpoint, ENDPOINTS[other]));
  return [
    `### ${name}`,
    ...deprecationPart(endpoint),
    endpoint.summary,
    [`- ${pathOf(endpoint)}`, ...otherPathLines(endpoint), ...factLines(endpoint)].join("\n"),
    ...(same === undefined ? tableParts(endpoint, name) : [`Request, rules and records are those of ${linkTo(same)}.`]),
  ].join("\n\n");
}

function tableParts(endpoint: Endpoint, name: EndpointName): string[] {
  const { rules, item } = endpoint;
  return [
    "Request:",
    requestTable(endpoint, name),
    ...(rules.length > 0 ? [ruleList(rules)] : []),
    ...(sharedRecordOf(item) ? [] : ["Records:"]),
    recordPart(item, name),
  ];
}

function isAskedAndAnsweredAlike(one: Endpoint, other: Endpoint): boolean {
  const ruleNames = ({ rules }: Endpoint) => rules.map(({ name }) => name).join();
  return one.request === other.request && one.item === other.item && ruleNames(one) === ruleNames(other);
}

function factLines({ cost, cadence, page, idList, dataStart, answer }: Endpoint): string[] {
  return [
    `- credits: ${COSTS[cost]}`,
    ...(cadence === undefined ? [] : [`- new rows: ${cadence}`]),
    ...(page ? [`- rows of a page: ${number(page.usual)} when nothing is said, at most ${number(page.most)}`] : []),
    ...(idList
      ? [`- at most ${number(idList.most)} in ${inCode([idList.field])} of a request; longer lists are split`]
      : []),
    ...(dataStart === undefined ? [] : [`- events begin on ${dataStart}`]),
    ...(answer === "properties"
      ? ["- answers with `items` and `account`, or `data`, `metadata`, `pagination` and `account_info`: both are read"]
      : []),
  ];
}
