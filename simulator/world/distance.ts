type Point = { readonly latitude: number; readonly longitude: number };

const EARTH_RADIUS_MILES = 3_958.8;

/** Great-circle distance of two points in decimal degrees, by the haversine formula. */
export function milesBetween(a: Point, b: Point): number {
  const [from, to] = [radians(a.latitude), radians(b.latitude)];
  const sines = halfChord(to - from) + Math.cos(from) * Math.cos(to) * halfChord(radians(b.longitude - a.longitude));
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(1, Math.sqrt(sines)));
}

function halfChord(angle: number): number {
  return Math.sin(angle / 2) ** 2;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
