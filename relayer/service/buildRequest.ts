import { creditsOfRequest } from "./creditCost.ts";
import type { Endpoint } from "./endpoints/endpoint.ts";
import { writeExactJson } from "./exactJson.ts";
import { toWireName, toWireNames } from "./makerNames.ts";
import type { RequestValues } from "./rules/requestRule.ts";
import type { ServiceRequest } from "./sendRequest.ts";

/**
 * How requests are spelt where the specification and the public clients of the service differ. `specification`: id
 * lists in the plural, as integers. `public-clients`: in the singular, as text; and the paths that those use.
 */
export const REQUEST_SPELLINGS = ["specification", "public-clients"] as const;
export type RequestSpelling = (typeof REQUEST_SPELLINGS)[number];

/** What decides how a request is written. */
export type RequestStyle = {
  readonly idPrefix: string;
  readonly spelling: RequestSpelling;
  /** Name of the list of an address search; the bare list when there is none. */
  readonly addressListName: string | undefined;
};

/** A checked request as it goes over the wire. */
export function buildRequest(
  endpoint: Endpoint,
  values: RequestValues,
  style: RequestStyle,
  { nowMs, path = pathOf(endpoint, style) }: { readonly nowMs: number; readonly path?: string | undefined },
): ServiceRequest {
  const inPath = new Set([...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name));
  const inQuery = (name: string) => endpoint.method === "GET" || endpoint.queryFields.includes(name);
  const given = Object.entries(values).filter(([name, value]) => value !== undefined && !inPath.has(name));
  const query = given.filter(([name]) => inQuery(name));
  const body = given.filter(([name]) => !inQuery(name));
  return {
    method: endpoint.method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name]))),
    query: Object.fromEntries(
      Object.entries(toWireNames(Object.fromEntries(query), style.idPrefix) as RequestValues).map(([name, value]) => [
        name,
        String(value),
      ]),
    ),
    creditsAtMost: creditsOfRequest(endpoint, values, nowMs),
    ...(endpoint.method === "POST" && { body: writeExactJson(bodyOf(endpoint, Object.fromEntries(body), style)) }),
  };
}

function pathOf({ path, otherPaths }: Endpoint, { spelling }: RequestStyle): string {
  return (spelling === "public-clients" && otherPaths.find((other) => other.isPublicClients)?.path) || path;
}

function bodyOf({ bodyField, idList, answer }: Endpoint, body: RequestValues, style: RequestStyle): unknown {
  if (bodyField !== undefined) {
    const list = body[bodyField];
    return style.addressListName === undefined ? list : { [style.addressListName]: list };
  }
  const named = toWireNames(body, style.idPrefix) as RequestValues;
  // Of v2 the public clients, too, send lists in the plural.
  if (style.spelling === "specification" || idList === undefined || answer === "properties") return named;
  const plural = toWireName(idList.field, style.idPrefix);
  const { [plural]: ids, ...rest } = named;
  return Array.isArray(ids) ? { [plural.replace(/s$/, "")]: ids.map(String), ...rest } : named;
}
