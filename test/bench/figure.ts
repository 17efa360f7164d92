import type { Spread } from './statistics.ts';
import { spreadText } from './statistics.ts';

/** One row of the page: texts, ready to print. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly goal: string;
  /** Both sides of a ratio. */
  readonly sides: string;
  /** What `measured` says, for programs; absent where it is more than one number. */
  readonly spread?: Spread;
}

/** A figure whose number was measured in several rounds. */
export function figureOf(
  spread: Spread,
  { digits = 2, unit = '', ...texts }: Omit<Figure, 'measured' | 'spread'> & { digits?: number; unit?: string },
): Figure {
  return { ...texts, measured: `${spreadText(spread, digits)}${unit}`, spread };
}
