import { itemsAnswer } from "../answers/itemsAnswer.ts";
import { worldNow } from "../series/marketRows.ts";
import type { DataSource, ValuesOf } from "../simulatedEndpoint.ts";

/** The property of each address, in the order of the lookups. One without a match costs nothing. */
export const addressSearch: DataSource<ValuesOf<"property/search_address">> = {
  answer(request, service) {
    const { addresses } = worldNow(request, service);
    const records = addresses.search(request.values.lookups, service.unmatchedAddresses);
    const matched = records.filter(({ svc_property_id }) => svc_property_id !== null).length;
    const found = {
      // Where nothing at all is found, there is no answer with unmatched addresses either.
      count: matched === 0 ? 0 : records.length,
      chargedFor: "property",
      charged: matched,
      records: () => records,
    } as const;
    return itemsAnswer(found, request, service);
  },
};
