import type { Answer } from "../../answer.ts";
import { wireJson } from "../../world/wireJson.ts";
import type { ServiceState } from "../endpoint.ts";
import type { ReadRequest } from "../simulatedEndpoint.ts";
import { chargedAnswer, type Found } from "./chargedAnswer.ts";
import { paginationLinks } from "./paginationLinks.ts";

/** What was found of something that has pages and says so. */
export type FoundPage = Found & {
  /** Records over all pages. */
  readonly total: number;
  /** What stands beside the records: of one market its id, and what the figures are narrowed by. */
  readonly echo?: Readonly<Record<string, unknown>>;
};

/** `items` and `account`: what the specification promises of every list. */
export function itemsAnswer(found: Found, request: ReadRequest<unknown>, service: ServiceState): Answer {
  return chargedAnswer(found, request, service, (items, account) => ({ items, account }));
}

/** The same with the number of all records and links to their pages, as metrics, price feeds and market search have it. */
export function pagedAnswer(found: FoundPage, request: ReadRequest<unknown>, service: ServiceState): Answer {
  const { origin, path, query, page } = request;
  const { total, echo = {} } = found;
  return chargedAnswer(found, request, service, (items, account) => ({
    items,
    total,
    ...page,
    links: paginationLinks(`${origin}${path}`, query, { ...page, total }),
    ...wireJson(echo, service.idPrefix),
    account,
  }));
}
