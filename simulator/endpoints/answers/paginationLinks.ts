/** Where a page of an answer stands. */
type Page = { readonly limit: number; readonly offset: number; readonly total: number };

/** Absolute addresses of the neighbouring pages, with the query of this one; `null` where there is none. */
export type PaginationLinks = Record<"first" | "next" | "prev" | "last", string | null>;

export function paginationLinks(
  address: string,
  query: URLSearchParams,
  { limit, offset, total }: Page,
): PaginationLinks {
  const linkTo = (offset: number) => {
    const linked = new URLSearchParams(query);
    linked.set("limit", String(limit));
    linked.set("offset", String(offset));
    return `${address}?${linked}`;
  };
  return {
    first: linkTo(0),
    next: offset + limit < total ? linkTo(offset + limit) : null,
    prev: offset > 0 ? linkTo(Math.max(0, offset - limit)) : null,
    last: linkTo(Math.floor((total - 1) / limit) * limit),
  };
}
