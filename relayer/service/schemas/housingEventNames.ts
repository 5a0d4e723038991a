/** What a housing event record can be about. */
export const EVENT_TYPES = ["SALE", "LISTING", "RENTAL"] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * Fair-market transactions between unrelated parties (SOLD) or between two distinct entities. Only these count as
 * sales, acquisitions and dispositions, and only these enter the pricing endpoints (specification, transaction classes).
 */
export const ARMS_LENGTH_SALES = ["SOLD", "SOLD_INTER_PORTFOLIO_TRANSFER"] as const;

/** Between related parties, not at fair market value, or within one entity's portfolio. Counted as transfers alone. */
export const NON_ARMS_LENGTH_TRANSFERS = [
  "NON_ARMS_LENGTH_TRANSFER",
  "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER",
] as const;

/** Every event of type SALE: what the service counts as transfers. */
export const SALE_EVENT_NAMES = [...ARMS_LENGTH_SALES, ...NON_ARMS_LENGTH_TRANSFERS] as const;

export const LISTING_EVENT_NAMES = [
  "LISTED_SALE",
  "RELISTED",
  "PRICE_CHANGE",
  "PENDING_SALE",
  "LISTING_REMOVED",
  "OTHER",
] as const;

export const RENTAL_EVENT_NAMES = ["LISTED_RENT", "LISTED_FOR_RENT", "PRICE_CHANGE", "DELISTED_FOR_RENT"] as const;

/** In filters of v2, price changes are told apart, and ALL_SOLD stands for every sale. Records say PRICE_CHANGE for both. */
export const EVENT_FILTER_ALIASES = ["LISTING_PRICE_CHANGE", "RENTAL_PRICE_CHANGE", "ALL_SOLD"] as const;

/** A name of a record; the service's list is not complete in public, so that others are read, too. */
export type EventName =
  | (typeof SALE_EVENT_NAMES)[number]
  | (typeof LISTING_EVENT_NAMES)[number]
  | (typeof RENTAL_EVENT_NAMES)[number];

/** The part of an event record by which its class is told. */
type NamedEvent = {
  readonly event_type?: string | null | undefined;
  readonly event_name?: string | null | undefined;
};

/** Whether an event is a sale at arm's length: counted as a sale, an acquisition or a disposition, and priced. */
export function isArmsLengthSale({ event_name }: NamedEvent): boolean {
  return (ARMS_LENGTH_SALES as readonly unknown[]).includes(event_name);
}

/** Whether an event is known as a transfer that is no sale at arm's length. */
export function isNonArmsLengthTransfer({ event_name }: NamedEvent): boolean {
  return (NON_ARMS_LENGTH_TRANSFERS as readonly unknown[]).includes(event_name);
}

/**
 * Whether the service counts an event as a transfer: any SALE, at arm's length or not. One whose name is not known here
 * is a transfer too, and neither of the other two.
 */
export function isTransfer(event: NamedEvent): boolean {
  return event.event_type === "SALE" || isArmsLengthSale(event) || isNonArmsLengthTransfer(event);
}

/** Whether an event is about a listing for sale: new, changed, pending, removed. PRICE_CHANGE alone does not say so. */
export function isForSaleListingEvent({ event_type }: NamedEvent): boolean {
  return event_type === "LISTING";
}

/** Whether an event is about a listing for rent. PRICE_CHANGE alone does not say so. */
export function isRentalListingEvent({ event_type }: NamedEvent): boolean {
  return event_type === "RENTAL";
}

/** Whether a name in a filter of v2 asks for sales. */
export function asksForSales(filterName: string): boolean {
  return filterName === "ALL_SOLD" || (SALE_EVENT_NAMES as readonly string[]).includes(filterName);
}
