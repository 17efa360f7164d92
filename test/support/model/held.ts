import { lostSource } from '../../../src/core/progress/forgo.ts';
import { countOffsets, type Run } from '../../../src/core/progress/intervals.ts';
import type { PartitionEntry } from '../../../src/core/progress/sink-progress.ts';
import type { ModelOutcome, Shadow } from './world.ts';

/** What a reader holds since its entry: the local files of a slice, counts, and the position that they reach. */
export class Held {
  readonly entry: PartitionEntry;
  sink: number;
  source: number;
  readonly rows: number[] = [];
  readonly dead: number[] = [];
  readonly filtered: Run[] = [];
  readonly holes: Run[] = [];
  readonly none: Run[] = [];
  mappingVersion: number | undefined;
  /** That `source` was read in. */
  epoch: number | undefined;

  constructor(entry: PartitionEntry) {
    this.entry = entry;
    this.sink = entry.sink;
    this.source = entry.source;
    this.epoch = entry.epoch;
  }

  /** It is known that nothing is mapped again. */
  get #isForgone(): boolean {
    return lostSource(this.entry) !== undefined;
  }

  get hasLines(): boolean {
    return this.rows.length + this.dead.length > 0;
  }

  take({ kind, to, mappingVersion }: ModelOutcome, runs: readonly Run[]): void {
    if (kind === 'row' || kind === 'dead') {
      (kind === 'row' ? this.rows : this.dead).push(to);
      this.mappingVersion = mappingVersion;
    } else {
      (kind === 'lost' ? this.holes : this[kind]).push(...runs);
    }
  }

  get counts() {
    return {
      filtered: countOffsets(this.filtered),
      holes: countOffsets(this.holes),
      none: countOffsets(this.none),
    };
  }

  shadows(partition: number): readonly Shadow[] {
    const of = (kind: 'filtered' | 'hole' | 'none', runs: readonly Run[]): readonly Shadow[] =>
      runs.flatMap(({ from, to }) =>
        Array.from({ length: to - from }, (_, index) => ({ kind, partition, offset: from + 1 + index })),
      );
    const holes = of('hole', this.holes).map((hole) =>
      this.#isForgone ? { ...hole, isForgone: true as const } : hole,
    );
    return [...of('filtered', this.filtered), ...holes, ...of('none', this.none)];
  }
}
