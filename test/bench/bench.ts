import type { SideCost } from './side-cost.ts';
import type { Curve } from './curve.ts';
import type { Figure } from './figure.ts';

export interface BenchOptions {
  /** How often each side is measured, in turns. */
  readonly rounds: number;
  /** How long a side is loaded in a round. */
  readonly seconds: number;
  readonly connections: number;
  /** How many events, rows or items it is about, where a bench counts them instead of seconds. */
  readonly events: number;
  /** How many sources there are in the end, where a bench makes them. */
  readonly sources: number;
  /** Folder for profiles of one round more, which is not counted; absent: none. */
  readonly profile: string | undefined;
  /** Says how far it is. */
  readonly tell: (progress: string) => void;
}

export interface BenchResult {
  readonly figures: readonly Figure[];
  /** Of sides that were loaded: what an event costs. */
  readonly costs?: readonly SideCost[];
  /** Drawn beside the page by `--write`. */
  readonly curves?: readonly Curve[];
  /** What was skipped, and why. */
  readonly notes?: readonly string[];
}

export type Usual = Partial<Pick<BenchOptions, 'rounds' | 'seconds' | 'events' | 'sources'>>;

/** One bench of `npm run bench`. */
export interface Bench {
  /** For `--help`. */
  readonly meaning: string;
  /** What it takes when nobody says otherwise. */
  readonly usual: Usual;
  readonly run: (options: BenchOptions) => Promise<BenchResult>;
}
