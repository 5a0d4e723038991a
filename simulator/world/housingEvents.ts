import { dateText, requireDay } from "./calendarPeriods.ts";
import { LISTINGS_START, RECORD_TRACKING_START } from "./dataStarts.ts";
import { firstOwner, type Owner, ownerAfter } from "./ownership.ts";
import type { PropertyAttributes, ZipCharacter } from "./propertyAttributes.ts";
import { RandomSequence } from "./randomSequence.ts";

/** Names of events by type, as answers have them. Of the names seen, `LISTED_FOR_RENT` is not generated. */
export const EVENT_NAMES = {
  SALE: [
    "SOLD",
    "SOLD_INTER_PORTFOLIO_TRANSFER",
    "NON_ARMS_LENGTH_TRANSFER",
    "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER",
  ],
  LISTING: ["LISTED_SALE", "LISTING_REMOVED", "OTHER", "PENDING_SALE", "PRICE_CHANGE", "RELISTED"],
  RENTAL: ["LISTED_RENT", "PRICE_CHANGE", "DELISTED_FOR_RENT"],
} as const;

export type EventType = keyof typeof EVENT_NAMES;
export type EventName = (typeof EVENT_NAMES)[EventType][number];
type SaleName = (typeof EVENT_NAMES)["SALE"][number];

export const EVENT_TYPES = Object.keys(EVENT_NAMES) as readonly EventType[];

/** One event of a property, with every field that either version of the service shows. */
export type HousingEvent = {
  readonly svc_property_id: bigint;
  /** `YYYY-MM-DD`; no two events of a property share one. */
  readonly event_date: string;
  readonly event_type: EventType;
  readonly event_name: EventName;
  /** USD, for rentals a month; `null` where it was not disclosed, 0 of a transfer that was no sale at fair value. */
  readonly price: number | null;
  readonly owner_occupied_flag: 0 | 1;
  readonly new_construction_flag: 0 | 1;
  readonly investor_flag: 0 | 1 | null;
  readonly entity_owner_name: string | null;
  readonly current_owner_flag: 0 | 1;
  readonly transfer_index: number;
  readonly true_sale_index: number;
  readonly record_updated_date: string;
  /** Who sold, at a SALE event; `null` at all others. */
  readonly entity_seller_name: string | null;
};

/** What events leave behind: who owns the property, and where it is on offer. */
export type PropertyState = {
  readonly owner: Owner;
  readonly isOnMarketForSale: boolean;
  readonly isOnMarketForRent: boolean;
  readonly isNewConstruction: boolean;
};

/** Events oldest first, and the state after the last of them. */
export type PropertyHistory = { readonly events: readonly HousingEvent[]; readonly state: PropertyState };

/** An event before anything about the present is known. */
type TimelineEvent = {
  readonly day: number;
  readonly type: EventType;
  readonly name: EventName;
  readonly price: number | null;
  /** The owner after the event. */
  readonly owner: Owner;
  /** The owner before it, of a sale. */
  readonly seller: Owner | undefined;
  readonly isNewConstruction: boolean;
};

/**
 * The events of a property up to a day (days since 1970-01-01), included. What happened before a day never depends on
 * the day asked for; only whether an owner is the current one does, and the date on which a fresh record settles.
 */
export function propertyHistory(
  attributes: PropertyAttributes,
  character: ZipCharacter,
  lastDay: number,
): PropertyHistory {
  const timeline = new Timeline(attributes, character, lastDay);
  const happened = timeline.run().filter(({ day }) => day <= lastDay);
  const owner = happened.at(-1)?.owner ?? timeline.firstOwner;
  let [transfers, sales] = [0, 0];
  const events = happened.map((event): HousingEvent => {
    if (event.type === "SALE") transfers += 1;
    if (event.name === "SOLD") sales += 1;
    return {
      svc_property_id: attributes.propertyId,
      event_date: dateText(event.day),
      event_type: event.type,
      event_name: event.name,
      price: event.price,
      owner_occupied_flag: event.owner.kind === "occupant" ? 1 : 0,
      new_construction_flag: event.isNewConstruction ? 1 : 0,
      investor_flag: investorFlag(event.owner),
      entity_owner_name: event.owner.operator,
      current_owner_flag: event.owner === owner ? 1 : 0,
      transfer_index: transfers,
      true_sale_index: sales,
      record_updated_date: dateText(dayUpdated(event.day, attributes, lastDay)),
      entity_seller_name: event.seller?.operator ?? null,
    };
  });
  return { events, state: stateAfter(happened, owner, attributes) };
}

/** 1 of an investor, 0 of another owner, `null` of one that is not known. */
export function investorFlag({ kind }: Owner): 0 | 1 | null {
  if (kind === "unknown") return null;
  return kind === "investor" || kind === "operator" ? 1 : 0;
}

function stateAfter(
  happened: readonly TimelineEvent[],
  owner: Owner,
  { isBuiltInHistory }: PropertyAttributes,
): PropertyState {
  // A sale ends every listing. A pending sale is still on the market.
  const forSale = happened.findLast(({ type }) => type !== "RENTAL");
  const forRent = happened.findLast(({ type }) => type !== "LISTING");
  return {
    owner,
    isOnMarketForSale: forSale?.type === "LISTING" && forSale.name !== "LISTING_REMOVED",
    isOnMarketForRent: forRent?.type === "RENTAL" && forRent.name !== "DELISTED_FOR_RENT",
    isNewConstruction: isBuiltInHistory && owner.kind === "builder",
  };
}

/** Records reach the service some days after the event; those of before tracking, on the day on which it began. */
function dayUpdated(day: number, { random, addedDay }: PropertyAttributes, lastDay: number): number {
  if (day < RECORD_TRACKING_START) return addedDay;
  return Math.max(addedDay, Math.min(day + random.integer(FIRST_RECORD_INDEX + day, 0, 9), lastDay));
}

/** Where the random numbers of a property for its records begin, past those for its attributes. */
const FIRST_RECORD_INDEX = 1_000;

/** Where those for its history begin, past the records of every day until 2200. */
const FIRST_HISTORY_INDEX = 100_000;

/** Nothing in the history comes later than this. */
const LAST_DAY = requireDay("2100-01-01");

/** Plays the life of a property, owner by owner, until an episode begins after the last day wanted. */
class Timeline {
  readonly firstOwner: Owner;
  readonly #attributes: PropertyAttributes;
  readonly #character: ZipCharacter;
  readonly #lastDay: number;
  readonly #chance: RandomSequence;
  readonly #events: TimelineEvent[] = [];
  #owner: Owner;
  #isNewConstruction: boolean;

  constructor(attributes: PropertyAttributes, character: ZipCharacter, lastDay: number) {
    this.#attributes = attributes;
    this.#character = character;
    this.#lastDay = Math.min(lastDay, LAST_DAY);
    this.#chance = new RandomSequence(attributes.random, FIRST_HISTORY_INDEX);
    this.firstOwner = firstOwner(attributes, character, this.#chance);
    this.#owner = this.firstOwner;
    this.#isNewConstruction = attributes.isBuiltInHistory;
  }

  run(): readonly TimelineEvent[] {
    let day = this.#attributes.firstDay;
    // The owner of the first day has been there for some time already, the builder just began.
    let tenure = this.#owner.kind === "builder" ? this.#tenure() : this.#tenure() * this.#chance.next();
    while (day <= this.#lastDay) {
      const saleDay = day + Math.max(30, Math.floor(tenure));
      const sale = this.#chooseSale();
      const marketing = sale === "SOLD" && this.#chance.happens(0.82) ? this.#chance.integer(24, 120) : 0;
      const marketingDay = Math.max(day + 1, saleDay - marketing);
      if (this.#rents()) this.#rentOut(day + 1, marketingDay - 1);
      else if (this.#owner.kind === "occupant" && this.#chance.happens(0.25))
        this.#tryToSell(day + 1, marketingDay - 1);
      const asked = marketing > 0 ? this.#market(marketingDay, saleDay) : undefined;
      this.#sell(sale, saleDay, asked);
      day = saleDay;
      tenure = this.#tenure();
    }
    return this.#events;
  }

  /** Days from one change of ownership to the next. */
  #tenure(): number {
    const years = this.#chance.next();
    switch (this.#owner.kind) {
      case "operator":
        return 365 * (2 + 9 * years);
      case "investor":
        return 365 * (0.4 + 9 * years);
      case "builder":
        return 40 + 800 * years * years;
      default:
        // One in six stays for decades.
        return 365 * (this.#chance.happens(1 / 6) ? 20 + 40 * years : 1 + 13 * years);
    }
  }

  #rents(): boolean {
    const { kind } = this.#owner;
    return kind === "operator" || kind === "investor" || (kind === "unknown" && this.#chance.happens(0.4));
  }

  #chooseSale(): SaleName {
    const u = this.#chance.next();
    switch (this.#owner.kind) {
      case "operator":
        if (u < 0.18) return "NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER";
        return u < 0.4 && this.#character.operators.length > 1 ? "SOLD_INTER_PORTFOLIO_TRANSFER" : "SOLD";
      case "builder":
        return "SOLD";
      default:
        return u < 0.24 ? "NON_ARMS_LENGTH_TRANSFER" : "SOLD";
    }
  }

  #sell(name: SaleName, day: number, asked: number | undefined): void {
    const seller = this.#owner;
    this.#owner = ownerAfter(name, seller, this.#attributes, this.#character, this.#chance);
    const atFairValue = asked === undefined ? this.#value(day) : asked * this.#chance.between(0.95, 1.01);
    const price = this.#disclosed(name.startsWith("SOLD") ? 500 * Math.max(1, Math.round(atFairValue / 500)) : 0);
    this.#record({ day, type: "SALE", name, price, owner: this.#owner, seller });
    if (name === "SOLD") this.#isNewConstruction = false;
  }

  /** In some states the price of a deed is not public; now and then it becomes known all the same. */
  #disclosed(price: number): number | null {
    const isKnown = this.#chance.happens(0.25);
    if (this.#attributes.zipCode.state.disclosesPrices) return price;
    return isKnown && price > 0 ? price : null;
  }

  /** A listing that ends with a sale on `saleDay`; answers what was asked last, or `undefined` of one not recorded. */
  #market(firstDay: number, saleDay: number): number | undefined {
    if (firstDay < LISTINGS_START) return undefined;
    const pendingDay = saleDay - this.#chance.integer(8, Math.floor((saleDay - firstDay) / 2));
    const asked = this.#listForSale(firstDay, pendingDay - 1, this.#chance.happens(0.12));
    if (this.#chance.happens(0.05)) this.#record({ day: pendingDay - 1, type: "LISTING", name: "OTHER", price: asked });
    this.#record({ day: pendingDay, type: "LISTING", name: "PENDING_SALE", price: asked });
    return asked;
  }

  /** Listings of occupants who stay in the end. */
  #tryToSell(firstDay: number, lastDay: number): void {
    const days = this.#chance.integer(40, 150);
    const day = firstDay + Math.floor((lastDay - firstDay - days) * this.#chance.next());
    if (day < firstDay || day < LISTINGS_START) return;
    const asked = this.#listForSale(day, day + days - 1, false);
    this.#record({ day: day + days, type: "LISTING", name: "LISTING_REMOVED", price: asked });
  }

  /** Lists, changes the price some times, perhaps removes and relists, all before `lastDay`; answers what was asked last. */
  #listForSale(firstDay: number, lastDay: number, isRelisted: boolean): number {
    let asked = asPriceTag(this.#value(firstDay) * this.#chance.between(1.01, 1.1));
    this.#record({ day: firstDay, type: "LISTING", name: "LISTED_SALE", price: asked });
    let day = firstDay;
    const changes = this.#chance.integer(0, 2);
    for (let count = 0; count < changes; count += 1) {
      day += this.#chance.integer(9, 30);
      if (day >= lastDay) return asked;
      asked = Math.max(100, Math.min(asked - 1000, asPriceTag(asked * this.#chance.between(0.94, 0.985))));
      this.#record({ day, type: "LISTING", name: "PRICE_CHANGE", price: asked });
    }
    const pause = this.#chance.integer(3, 14);
    if (isRelisted && day + 1 + pause < lastDay) {
      this.#record({ day: day + 1, type: "LISTING", name: "LISTING_REMOVED", price: asked });
      this.#record({ day: day + 1 + pause, type: "LISTING", name: "RELISTED", price: asked });
    }
    return asked;
  }

  /** One tenant after the other, each found by a listing that ends on `lastDay` at the latest. */
  #rentOut(firstDay: number, lastDay: number): void {
    let day = firstDay + this.#chance.integer(10, 60);
    let letDay = day + this.#chance.integer(12, 75);
    while (letDay <= lastDay) {
      if (day >= LISTINGS_START) this.#listForRent(day, letDay);
      day = letDay + this.#chance.integer(330, 1000);
      letDay = day + this.#chance.integer(12, 75);
    }
  }

  #listForRent(firstDay: number, letDay: number): void {
    let rent = asRent(this.#rent(firstDay));
    this.#record({ day: firstDay, type: "RENTAL", name: "LISTED_RENT", price: rent });
    const changeDay = firstDay + this.#chance.integer(7, 40);
    if (changeDay < letDay && this.#chance.happens(0.5)) {
      rent = Math.max(5, Math.min(rent - 5, asRent(rent * this.#chance.between(0.93, 0.985))));
      this.#record({ day: changeDay, type: "RENTAL", name: "PRICE_CHANGE", price: rent });
    }
    this.#record({ day: letDay, type: "RENTAL", name: "DELISTED_FOR_RENT", price: rent });
  }

  #record(event: Pick<TimelineEvent, "day" | "type" | "name" | "price"> & Partial<TimelineEvent>): void {
    this.#events.push({
      owner: this.#owner,
      seller: undefined,
      isNewConstruction: this.#isNewConstruction,
      ...event,
    });
  }

  #value(day: number): number {
    const { squareFootage, priceFactor } = this.#attributes;
    const perSquareFoot = this.#character.perSquareFoot.sales(day);
    return perSquareFoot * squareFootage * priceFactor * this.#chance.between(0.94, 1.06);
  }

  #rent(day: number): number {
    const { squareFootage, priceFactor } = this.#attributes;
    const perSquareFoot = this.#character.perSquareFoot.rental(day);
    return perSquareFoot * rentedSquareFeet(squareFootage) * priceFactor * this.#chance.between(0.95, 1.05);
  }
}

/** Rents per square foot are those of small homes; large ones rent for less a square foot. */
function rentedSquareFeet(squareFootage: number): number {
  return 450 + 0.4 * squareFootage;
}

/** Prices just below a round one: 449,900. */
function asPriceTag(value: number): number {
  return Math.max(1, Math.round(value / 1000)) * 1000 - 100;
}

function asRent(value: number): number {
  return Math.max(2, Math.round(value / 5)) * 5;
}
