import { progressId } from '../../src/documents/document-id.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { clearFlush } from '../../src/core/progress/flush.ts';
import { finishImport, startImport } from '../../src/core/progress/import.ts';
import { inside } from '../../src/core/progress/intervals.ts';
import { seal } from '../../src/core/progress/seal.ts';
import { entryOf, isRefused, type Refused, type SinkProgress } from '../../src/core/progress/sink-progress.ts';
import type { Catalog } from '../../src/ports/catalog.ts';
import type { EventLog } from '../../src/ports/event-log.ts';

interface Delivery {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
}

const signal = new AbortController().signal;

/**
 * Seals partition 0 of an incarnation up to the end of the source topic, as stage would: every event one row, of the mapping in use unless
 * it is said otherwise.
 */
export async function stageAll(
  { catalog, sourceLog }: Delivery,
  incarnation: number,
  { mappedWith }: { readonly mappedWith?: number } = {},
): Promise<void> {
  await change(catalog, incarnation, async (progress) => {
    const [range] = await sourceLog.ranges(progress.topics.source, { signal });
    const base = entryOf(progress, 0);
    const parts = inside(base.intervals, { from: base.source, to: (range?.stableEnd ?? 0) - 1 });
    const rows = parts.reduce((sum, { from, to }) => sum + to - from, 0);
    const to = parts.at(-1)?.to;
    if (to === undefined) return undefined;
    const object = { name: `o/${incarnation}/${to}.csv`, bytes: rows * 10 };
    const slice = {
      id: `s${to}`,
      partition: 0,
      mappingVersion: mappedWith ?? progress.mappingVersion,
      from: base.source,
      to,
      rows,
      dead: 0,
      rowsObject: object,
      firstArrival: 1,
      lastArrival: 2,
      stagedAt: 1000,
    };
    return seal(progress, {
      partition: 0,
      base,
      sink: base.sink + rows,
      source: to,
      mappedWith: slice.mappingVersion,
      filtered: 0,
      holes: 0,
      none: 0,
      slice,
      stamp: 1,
    });
  });
}

/** Imports what is staged, as far as the progress document is concerned. */
export async function importAll({ catalog }: Delivery, incarnation: number): Promise<void> {
  await change(catalog, incarnation, (progress) => startImport(progress, { id: 'i', at: 2000 }));
  await change(catalog, incarnation, (progress) =>
    finishImport(progress, progress.importing ?? { number: 0, id: '' }, 3000),
  );
  await change(catalog, incarnation, clearFlush);
}

/** Applies a transition to a progress document; a refused one changes nothing. */
export async function change(
  catalog: Catalog,
  incarnation: number,
  transition: (
    progress: SinkProgress,
  ) => SinkProgress | Refused | undefined | Promise<SinkProgress | Refused | undefined>,
): Promise<void> {
  const id = progressId(incarnation as SinkProgress['incarnation']);
  for (;;) {
    const found = await catalog.get('progress', id, { signal });
    if (found === undefined) return;
    const after = await transition(progressDocuments.parse(found.value));
    if (after === undefined || isRefused(after)) return;
    const write = { collection: 'progress', id, expected: found.revision, value: after } as const;
    if ((await catalog.compareAndSet(write, { signal })).kind === 'written') return;
  }
}
