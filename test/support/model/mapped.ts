import type { Loaded } from './table-world.ts';

/** What a version of a sink's mapping makes of an event: always the same, and different from version to version. */
export function mapped({ incarnation, partition, offset, mappingVersion }: Loaded): 'row' | 'dead' | 'filtered' {
  const number = (offset * 7 + mappingVersion * 3 + partition + incarnation * 2) % 5;
  return (['row', 'filtered', 'row', 'filtered', 'dead'] as const)[number] ?? 'row';
}
