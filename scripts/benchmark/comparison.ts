/** A figure that is not what is on record, by its place among the figures. */
export type Difference = { readonly figure: string; readonly recorded: string; readonly measured: string };

/** Every figure that differs, or that only one side has. */
export function compareFigures(recorded: unknown, measured: unknown, figure = ""): Difference[] {
  if (isRecord(recorded) && isRecord(measured)) {
    const names = new Set([...Object.keys(recorded), ...Object.keys(measured)]);
    return [...names].flatMap((name) =>
      compareFigures(recorded[name], measured[name], figure === "" ? name : `${figure} / ${name}`),
    );
  }
  if (Object.is(recorded, measured)) return [];
  return [{ figure, recorded: describe(recorded), measured: describe(measured) }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function describe(value: unknown): string {
  return value === undefined ? "nothing" : JSON.stringify(value);
}
