import type { Costs, Target } from './costs.ts';

/** Triggers as settings have them unless somebody sets them (`docs/spec/settings.md`). */
const upload = { rows: 10_000, bytes: 5e6, seconds: 30 } as const;
const load = { rows: 50_000, bytes: 50e6, slices: 100, seconds: 60 } as const;
/** The triggers of each sink run for so long, after as long to get going. */
const simulatedSeconds = 240;

/** What the whole installation does in a second. */
export interface Traffic {
  readonly events: number;
  readonly outcomes: number;
  readonly partitions: number;
  readonly slices: number;
  readonly imports: number;
}

/** Events a second of each source: the second has half as many as the first, the third a third, as it is with names and words. */
export function ratesOf({ events, sources }: Target): readonly number[] {
  const weights = Array.from({ length: sources }, (_, at) => 1 / (at + 1));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => (events * weight) / whole);
}

/** Half of what a process of map takes, so that it can catch up (`docs/guides/cluster.md`). */
export function partitionsOf(rate: number, { mapOutcomes }: Costs): number {
  return Math.max(1, Math.ceil(rate / (mapOutcomes / 2)));
}

/** Slices and imports a second of one sink: the triggers of both steps, run from slice to slice. */
export function sinkOf(rate: number, partitions: number, rowBytes: number): Pick<Traffic, 'slices' | 'imports'> {
  const ofPartition = rate / partitions;
  const rows = Math.min(upload.rows, upload.bytes / rowBytes);
  // The clock of a slice starts with its first row.
  const sliceSeconds = Math.min(rows / ofPartition, upload.seconds + 1 / ofPartition);
  const rowsOfSlice = ofPartition * sliceSeconds;
  let [slices, imports] = [0, 0];
  let staged = { slices: 0, rows: 0, since: 0 };
  const step = sliceSeconds / partitions;
  for (let at = step; at < 2 * simulatedSeconds; at += step) {
    const counts = at >= simulatedSeconds ? 1 : 0;
    if (staged.slices > 0 && at - staged.since >= load.seconds) {
      imports += counts;
      staged = { slices: 0, rows: 0, since: at };
    }
    slices += counts;
    staged = {
      slices: staged.slices + 1,
      rows: staged.rows + rowsOfSlice,
      since: staged.slices === 0 ? at : staged.since,
    };
    const isFull = staged.rows >= load.rows || staged.rows * rowBytes >= load.bytes || staged.slices >= load.slices;
    if (!isFull) continue;
    imports += counts;
    staged = { slices: 0, rows: 0, since: at };
  }
  return { slices: slices / simulatedSeconds, imports: imports / simulatedSeconds };
}

/** All sources by their rates, each with as many sinks; sinks of a source do the same. */
export function simulate(of: Target, measured: Costs): Traffic {
  const sinksOfSource = of.sinks / of.sources;
  let [partitions, slices, imports] = [0, 0, 0];
  for (const rate of ratesOf(of)) {
    const own = partitionsOf(rate, measured);
    const sink = sinkOf(rate, own, of.rowBytes);
    partitions += own * (1 + sinksOfSource);
    slices += sink.slices * sinksOfSource;
    imports += sink.imports * sinksOfSource;
  }
  return { events: of.events, outcomes: of.events * sinksOfSource, partitions, slices, imports };
}
