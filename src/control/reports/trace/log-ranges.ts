import type { Offset, Partition } from '../../../core/offset.ts';
import type { EventLog, IdentifiedPartition } from '../../../ports/event-log.ts';
import type { Waiting } from '../../../ports/waiting.ts';

/** Offsets [from, to) of one partition that are to be read. */
export interface LogRange {
  readonly partition: Partition;
  readonly from: Offset;
  readonly to: Offset;
}

/** Arrivals [since, until), milliseconds since the epoch; absent: from the first event, or to the last one. */
export interface TimeWindow {
  readonly since?: number;
  readonly until?: number;
}

/** Where a search goes on: ranges of one existence of the source, in the order in which they are read. */
export interface SearchPosition {
  /** Of the source: offsets of another one mean nothing. */
  readonly incarnation: number;
  readonly ranges: readonly LogRange[];
}

/** As clients send it back: `1:0.17-900,1.0-250`. */
export function formatSearchPosition({ incarnation, ranges }: SearchPosition): string {
  return `${incarnation}:${ranges.map(({ partition, from, to }) => `${partition}.${from}-${to}`).join(',')}`;
}

const rangeForm = '[0-9]{1,6}\\.[0-9]{1,15}-[0-9]{1,15}';
const form = new RegExp(`^(?<incarnation>[1-9][0-9]{0,8}):(?<ranges>${rangeForm}(?:,${rangeForm})*)$`);

/** The inverse; undefined for any other text. */
export function parseSearchPosition(text: string): SearchPosition | undefined {
  const { incarnation, ranges } = form.exec(text)?.groups ?? {};
  if (incarnation === undefined || ranges === undefined) return undefined;
  const parsed = ranges.split(',').map((range) => {
    const [partition = 0, from = 0, to = 0] = range.split(/[.-]/).map(Number);
    return { partition, from, to };
  });
  return { incarnation: Number(incarnation), ranges: parsed };
}

/** The time in an id of UUID version 7, milliseconds since the epoch; undefined for any other. */
export function msOfId(id: string): number | undefined {
  const match = /^([0-9a-f]{8})-([0-9a-f]{4})-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i.exec(id);
  return match === null ? undefined : Number.parseInt(`${match[1]}${match[2]}`, 16);
}

const nearMs = 2000;
/** Clocks of processes differ, and an id may run ahead of its clock. */
export const idMarginMs = 600_000;

/** Where to look for an id that says when it was made, most likely first: they touch, and do not overlap. */
export function windowsOfId(madeAt: number): readonly TimeWindow[] {
  return [
    { since: madeAt - nearMs, until: madeAt + nearMs },
    { since: madeAt - idMarginMs, until: madeAt - nearMs },
    { since: madeAt + nearMs, until: madeAt + idMarginMs },
  ];
}

interface Partitions {
  readonly at: readonly IdentifiedPartition[];
}

/** The offsets of each window in each partition, window by window; and the first offset that each partition still holds. */
export async function rangesOf(
  log: Pick<EventLog, 'range' | 'offsetForTime'>,
  { at, windows }: Partitions & { readonly windows: readonly TimeWindow[] },
  options: Waiting,
): Promise<{ readonly ranges: readonly LogRange[]; readonly firsts: ReadonlyMap<Partition, Offset> }> {
  const ends = new Map<Partition, { readonly first: Offset; readonly stableEnd: Offset }>();
  for (const one of at) ends.set(one.partition, await log.range(one, options));
  const ranges: LogRange[] = [];
  for (const { since, until } of windows) {
    for (const one of at) {
      const { first = 0, stableEnd = 0 } = ends.get(one.partition) ?? {};
      const from = since === undefined ? first : await log.offsetForTime(one, Math.max(0, Math.floor(since)), options);
      const to = until === undefined ? stableEnd : await log.offsetForTime(one, Math.max(0, Math.ceil(until)), options);
      if (from < to) ranges.push({ partition: one.partition, from, to });
    }
  }
  return { ranges, firsts: new Map([...ends].map(([partition, { first }]) => [partition, first])) };
}
