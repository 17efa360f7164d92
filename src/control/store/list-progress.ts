import { setImmediate } from 'node:timers/promises';
import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** A document may name a thousand slices: so few are held at a time. */
const pageSize = 100;

/**
 * The progress of many incarnations. Takes one read for each page between the first and the last of them, and never
 * more reads than there are incarnations. One that is gone is left out.
 */
export async function* listProgress(
  catalog: Catalog,
  incarnations: Iterable<Incarnation>,
  options: Waiting,
): AsyncGenerator<SinkProgress> {
  const wanted = new Set<number>(incarnations);
  const ascending = [...wanted].sort((a, b) => a - b);
  for (let at = 0; at < ascending.length;) {
    const first = ascending[at] ?? 0;
    const window = ascending.slice(at, at + pageSize).filter((one) => one < first + pageSize);
    const last = window.at(-1) ?? first;
    const query = { collection: 'progress', prefix: '', after: progressId(before(first)) } as const;
    const page = await catalog.list({ ...query, limit: last - first + 1 }, options);
    // Lets other work of this process in between, however quickly the store answers.
    await setImmediate();
    for (const { id, value } of page) if (wanted.has(Number(id))) yield progressDocuments.parse(value, id);
    const read = Math.max(last, Number(page.at(-1)?.id ?? last));
    while (at < ascending.length && (ascending[at] ?? 0) <= read) at += 1;
  }
}

function before(incarnation: number): Incarnation {
  return (incarnation - 1) as Incarnation;
}
