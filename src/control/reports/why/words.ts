import type { Partition } from '../../../core/offset.ts';

/** `1 event`, `3 events`. */
export function counted(count: number, word: string): string {
  return `${count} ${count === 1 ? word : `${word}s`}`;
}

/** `is` or `are`, for so many. */
export function be(count: number): string {
  return count === 1 ? 'is' : 'are';
}

/** `a`, `a and b`, `a, b and c`; nothing of none. */
export function listed(parts: readonly string[]): string {
  const [last = ''] = parts.slice(-1);
  return parts.length < 2 ? last : `${parts.slice(0, -1).join(', ')} and ${last}`;
}

/** What there is of each word: `3 rows and 1 dead letter`; `nothing` when there is nothing. */
export function amounts(counts: readonly (readonly [count: number, word: string])[]): string {
  const there = counts.filter(([count]) => count > 0).map(([count, word]) => counted(count, word));
  return there.length === 0 ? 'nothing' : listed(there);
}

const named = 12;

/** `partition 3`, `partitions 0, 1 and 2`; of many the first ones. */
export function partitionsText(partitions: readonly Partition[]): string {
  const shown = partitions.slice(0, named).map(String);
  const rest = partitions.length - shown.length;
  return `${partitions.length === 1 ? 'partition' : 'partitions'} ${listed(rest > 0 ? [...shown, `${rest} more`] : shown)}`;
}

/** ISO time of milliseconds since the epoch. */
export function at(ms: number): string {
  return new Date(ms).toISOString();
}
