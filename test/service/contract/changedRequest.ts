type Values = Readonly<Record<string, unknown>>;

/** A request with other values in some of its fields, nested ones too; `undefined` leaves a field out. */
export function changedRequest(request: Values, change: Values): Values {
  let result = request;
  for (const [name, value] of Object.entries(change)) {
    const before = result[name];
    const isMerged = isObject(value) && isObject(before);
    result = changedAt(result, [name], isMerged ? changedRequest(before, value) : value) as Values;
  }
  return result;
}

/** A request with another value at a path of names and positions; `undefined` leaves it out. */
export function changedAt(request: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  if (typeof step === "number") {
    const list: readonly unknown[] = Array.isArray(request) ? request : [];
    return list.toSpliced(step, 1, changedAt(list[step], rest, value));
  }
  const { [step]: before, ...others } = isObject(request) ? request : {};
  const after = changedAt(before, rest, value);
  return after === undefined ? others : { ...others, [step]: after };
}

function isObject(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
