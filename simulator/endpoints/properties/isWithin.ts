/** Whether a value lies within bounds, both included; a bound that is not given bounds nothing, and no value is within any. */
export function isWithin<Value extends number | string>(
  value: Value | null,
  least: Value | undefined,
  most: Value | undefined,
): boolean {
  if (least === undefined && most === undefined) return true;
  return value !== null && (least === undefined || value >= least) && (most === undefined || value <= most);
}
