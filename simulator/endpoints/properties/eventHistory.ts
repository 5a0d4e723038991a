import { TRACKING_BASELINE } from "../../../relayer/service/schemas/recordTracking.ts";
import type { HousingEvent } from "../../world/housingEvents.ts";
import { eventHistoryRecord } from "../../world/propertyAnswers.ts";
import { itemsAnswer } from "../answers/itemsAnswer.ts";
import { worldNow } from "../series/marketRows.ts";
import type { DataSource, ValuesOf } from "../simulatedEndpoint.ts";
import { isWithin } from "./isWithin.ts";
import { propertiesOfIds } from "./propertiesOfIds.ts";

type HistoryValues = ValuesOf<"property/event_history">;

/**
 * Events of properties, by property and newest first. A property without an event that matches is not in the answer, and
 * costs nothing.
 */
export const eventHistory: DataSource<HistoryValues> = {
  answer(request, service) {
    const { values } = request;
    const histories = [...propertiesOfIds(worldNow(request, service), values.svc_property_ids)]
      .map(({ events }) => events.filter((event) => matches(event, values)))
      .filter((events) => events.length > 0);
    const events = histories.flat();
    const found = {
      count: events.length,
      chargedFor: "property",
      charged: histories.length,
      records: () => events.map(eventHistoryRecord),
    } as const;
    return itemsAnswer(found, request, service);
  },
};

function matches(event: HousingEvent, values: HistoryValues): boolean {
  const { event_type: type = "ALL", entity_owner_name: owner } = values;
  const { record_updated_date_start: from = TRACKING_BASELINE, record_updated_date_end: to } = values;
  return (
    (type === "ALL" || event.event_type === type) &&
    (owner === undefined || event.entity_owner_name === owner) &&
    isWithin(event.event_date, values.start_date, values.end_date) &&
    isWithin(event.record_updated_date, from, to)
  );
}
