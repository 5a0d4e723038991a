import { describe, expect, test } from "vitest";
import { hasDisclosedPrice } from "../../relayer/service/schemas/disclosedPrice.ts";
import { housingEvent } from "../../relayer/service/schemas/housingEvent.ts";
import {
  isArmsLengthSale,
  isForSaleListingEvent,
  isNonArmsLengthTransfer,
  isRentalListingEvent,
  isTransfer,
  LISTING_EVENT_NAMES,
  RENTAL_EVENT_NAMES,
  SALE_EVENT_NAMES,
} from "../../relayer/service/schemas/housingEventNames.ts";
import { propertyRecord } from "../../relayer/service/schemas/propertyRecord.ts";
import { isSingleFamilyHome } from "../../relayer/service/schemas/unitType.ts";

const event = (fields: object) => housingEvent.parse({ svc_property_id: 48_703_143, ...fields });

describe("the class of an event", () => {
  test.each([
    ["SOLD", { sale: true, other: false }],
    ["SOLD_INTER_PORTFOLIO_TRANSFER", { sale: true, other: false }],
    ["NON_ARMS_LENGTH_TRANSFER", { sale: false, other: true }],
    ["NON_ARMS_LENGTH_INTRA_PORTFOLIO_TRANSFER", { sale: false, other: true }],
  ])("%s is a transfer, and what else it is", (event_name, { sale, other }) => {
    expect(SALE_EVENT_NAMES).toContain(event_name);
    for (const record of [event({ event_type: "SALE", event_name }), { event_name }]) {
      expect(isTransfer(record)).toBe(true);
      expect(isArmsLengthSale(record)).toBe(sale);
      expect(isNonArmsLengthTransfer(record)).toBe(other);
    }
  });

  test("a SALE whose name is not known yet is a transfer, and neither of the two", () => {
    const later = event({ event_type: "SALE", event_name: "SOLD_AT_AUCTION" });
    expect(isTransfer(later)).toBe(true);
    expect(isArmsLengthSale(later)).toBe(false);
    expect(isNonArmsLengthTransfer(later)).toBe(false);
  });

  test.each([...LISTING_EVENT_NAMES, ...RENTAL_EVENT_NAMES])("%s is no transfer", (event_name) => {
    expect(isTransfer({ event_name })).toBe(false);
  });

  test("a price change is told by its type", () => {
    const ofSale = event({ event_type: "LISTING", event_name: "PRICE_CHANGE" });
    const ofRental = event({ event_type: "RENTAL", event_name: "PRICE_CHANGE" });
    expect([isForSaleListingEvent(ofSale), isRentalListingEvent(ofSale)]).toEqual([true, false]);
    expect([isForSaleListingEvent(ofRental), isRentalListingEvent(ofRental)]).toEqual([false, true]);
  });
});

test.each([
  [216_900, true],
  ["0.01", true],
  [0, false],
  ["0.00", false],
  [null, false],
  [undefined, false],
])("an event's price of %j: disclosed %s", (price, isDisclosed) => {
  expect(hasDisclosedPrice(event({ price }))).toBe(isDisclosed);
});

test.each([
  ["SINGLE_FAMILY", true],
  ["CONDO", false],
  [null, false],
])("a property of type %s: a single-family home %s", (property_type, isHome) => {
  expect(isSingleFamilyHome(propertyRecord.parse({ property_type }))).toBe(isHome);
});
