import type { NewRecord, RecordRun } from '../../src/ports/event-log.ts';

export interface RunOptions {
  readonly name: string;
  /** Of the first header of each record, all equally long. */
  readonly ids: readonly string[];
  readonly values: readonly Uint8Array[];
  readonly sharedHeaders: readonly string[];
  readonly timestamp: number;
}

/** A run whose values lie apart from each other; there are as many ids as values. */
export function recordRun({ name, ids, values, sharedHeaders, timestamp }: RunOptions): RecordRun {
  const memory = Buffer.concat(values.flatMap((value) => [gap, value]));
  const bounds: number[] = [];
  let at = 0;
  for (const { length } of values) {
    bounds.push(at + gap.length, at + gap.length + length);
    at += gap.length + length;
  }
  const lengths = values.map(({ length }) => length);
  return {
    length: values.length,
    memory,
    bounds,
    valueBytes: lengths.reduce((sum, length) => sum + length, 0),
    longestBytes: Math.max(0, ...lengths),
    firstHeader: { name, values: Buffer.from(ids.join('')), valueBytes: ids[0]?.length ?? 0 },
    sharedHeaders,
    timestamp,
    list: () =>
      values.map((value, index): NewRecord => {
        return { value, headers: [name, ids[index] ?? ''], sharedHeaders, timestamp };
      }),
  };
}

const gap = Buffer.from('\n');
