import type { Endpoint } from "./endpoints/endpoint.ts";
import { ENDPOINTS, type EndpointName } from "./endpoints/endpointTable.ts";

/**
 * Whether an endpoint can have a record of a date: false before its data start, true where the specification gives
 * none. That a later date has a record is not said by it.
 * @param date YYYY-MM-DD
 */
export function hasDataOn(name: EndpointName, date: string): boolean {
  const { dataStart }: Endpoint = ENDPOINTS[name];
  // Dates of one form, whose order as text is that of time.
  return dataStart === undefined || date >= dataStart;
}
