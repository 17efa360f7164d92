import { heldSlices, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { mappingOf } from './run-import.ts';

/** Mapping versions of waiting slices whose table was dropped with the source: they are given up, whatever has that name by now. */
export async function droppedVersions(
  catalog: Catalog,
  progress: SinkProgress,
  options: Waiting,
): Promise<ReadonlySet<number>> {
  const { incarnation, dropped = [] } = progress;
  const found = new Set<number>();
  if (dropped.length === 0) return found;
  for (const version of new Set(heldSlices(progress).map(({ mappingVersion }) => mappingVersion))) {
    const { tableId } = await mappingOf(catalog, { incarnation, version }, options);
    if (dropped.includes(tableId)) found.add(version);
  }
  return found;
}
