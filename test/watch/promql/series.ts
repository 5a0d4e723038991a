/** A label set; the metric's name is `__name__`. */
export type Labels = Readonly<Record<string, string>>;

export type Point = { readonly timeMs: number; readonly value: number };

/** A time series, oldest point first. */
export type Series = { readonly labels: Labels; readonly points: readonly Point[] };

/** One element of an instant vector. */
export type Sample = { readonly labels: Labels; readonly value: number };

/** What Prometheus looks back for an instant vector. */
export const LOOK_BACK_MS = 5 * 60_000;

/** The value that a series has at a time: its newest point that is not too old. */
export function valueAt({ points }: Series, timeMs: number): number | undefined {
  const point = points.findLast((each) => each.timeMs <= timeMs);
  return point && point.timeMs > timeMs - LOOK_BACK_MS ? point.value : undefined;
}

/** A label set as one text, whatever the order in which its labels were given. */
export function keyOf(labels: Labels): string {
  return JSON.stringify(Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Parses the text format of a scrape, with the labels that Prometheus adds. */
export function readScrape(text: string, target: Labels): Sample[] {
  return text.split("\n").flatMap((line): Sample[] => {
    const match = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line);
    if (!match || line.startsWith("#")) return [];
    const [, name = "", labels = "", value = ""] = match;
    return [{ labels: { ...target, ...readLabels(labels), __name__: name }, value: readNumber(value) }];
  });
}

/** Reads `a="x",b="y"`. */
export function readLabels(text: string): Labels {
  const labels: Record<string, string> = {};
  for (const [, name = "", value = ""] of text.matchAll(/([a-zA-Z_]\w*)\s*=\s*("(?:[^"\\]|\\.)*")/g)) {
    labels[name] = JSON.parse(value) as string;
  }
  return labels;
}

function readNumber(text: string): number {
  if (text === "+Inf") return Number.POSITIVE_INFINITY;
  return text === "-Inf" ? Number.NEGATIVE_INFINITY : Number(text);
}
