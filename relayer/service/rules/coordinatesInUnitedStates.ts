import { valueAt } from "../latestResponseFields.ts";
import type { RequestRule } from "./requestRule.ts";

/**
 * Boxes in decimal degrees around the parts of the country that the service covers. They are a little generous: what
 * lies outside is surely wrong, most often latitude and longitude swapped or a sign forgotten. The Aleutians reach
 * over the 180th meridian.
 */
const REGIONS = [
  { name: "the continental United States", latitude: [24.3, 49.5], longitude: [-125, -66.8] },
  { name: "Alaska", latitude: [51, 71.6], longitude: [-180, -129.9] },
  { name: "Alaska", latitude: [51, 53.2], longitude: [172.3, 180] },
  { name: "Hawaii", latitude: [18.8, 28.6], longitude: [-178.5, -154.6] },
] as const;

/** The centre of a circle of v2 lies in the continental United States, Alaska or Hawaii (specification, property search v2). */
export const coordinatesInUnitedStates: RequestRule = {
  name: "coordinates-in-united-states",
  statement: "`geo_coordinates` lie in the continental United States, Alaska or Hawaii.",
  breach(request) {
    const latitude = valueAt(request, "geo_coordinates.latitude");
    const longitude = valueAt(request, "geo_coordinates.longitude");
    if (typeof latitude !== "number" || typeof longitude !== "number") return undefined;
    const isCovered = (lat: number, long: number) =>
      REGIONS.some((region) => isWithin(lat, region.latitude) && isWithin(long, region.longitude));
    if (isCovered(latitude, longitude)) return undefined;
    const advice = isCovered(longitude, latitude)
      ? "latitude and longitude are swapped"
      : isCovered(latitude, -longitude)
        ? "western longitudes are negative"
        : "the service covers the continental United States, Alaska and Hawaii";
    return {
      at: "geo_coordinates",
      value: { latitude, longitude },
      message: `latitude ${latitude}, longitude ${longitude} lies outside: ${advice}`,
    };
  },
};

function isWithin(value: number, [low, high]: readonly [number, number]): boolean {
  return value >= low && value <= high;
}
