/** What many rounds say of one figure. */
export interface Spread {
  readonly median: number;
  /** The quarter of the rounds below it, and the quarter above it, lie beyond these. */
  readonly low: number;
  readonly high: number;
  readonly rounds: number;
}

/** The value below which the share of all values lies, between two of them in proportion; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [below = Number.NaN, above = below] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
  return below + (above - below) * (at - Math.floor(at));
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** Median and quartiles. */
export function spreadOf(values: readonly number[]): Spread {
  const [low, middle, high] = [quantile(values, 0.25), median(values), quantile(values, 0.75)];
  return { median: middle, low, high, rounds: values.length };
}

/** For people: `2.31 (2.25–2.40)`. One round has no spread. */
export function spreadText({ median: middle, low, high, rounds }: Spread, digits: number): string {
  const text = middle.toFixed(digits);
  return rounds > 1 ? `${text} (${low.toFixed(digits)}–${high.toFixed(digits)})` : text;
}
