import type { BranchId, Incarnation, SinkId, SourceId } from '../../../src/core/ids.ts';
import { encodeOutcome } from '../../../src/core/outcome.ts';
import { beginProgress, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { parseTableId } from '../../../src/core/table-id.ts';
import { mappingId, progressId } from '../../../src/documents/document-id.ts';
import type { EventLog, TopicDescription } from '../../../src/ports/event-log.ts';
import type { Ports } from '../../../src/runtime/composition/ports.ts';

export const never = new AbortController().signal;
export const incarnation = 1 as Incarnation;
export const tableId = parseTableId('in.c-bench.events');
export const columnNames = ['id', 'received', 'ip', 'action', 'repository', 'sender'];

const key = { branchId: 1 as BranchId, sourceId: 'bench' as SourceId, sinkId: 'sink' as SinkId };
const topics = { source: 'source.1.bench', sink: 'sink.1.bench.sink.1' };
const line = Buffer.from(
  '"019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b","2026-01-01T00:00:00.000Z","127.0.0.1","opened","millrace/millrace","somebody"\n',
);

/** What the trigger of step 1 closes a slice at. */
export const rowsOfSlice = 10_000;

/** As many as a mapper of full batches appends together. */
const together = 1000;

/** Appends outcomes of the source offsets [first, first + count), a row each; all of it is durable when it resolves. */
export async function appendOutcomes(
  log: EventLog,
  topic: string,
  { first, count }: { readonly first: number; readonly count: number },
): Promise<void> {
  const appended: Promise<unknown>[] = [];
  for (let from = first; from < first + count; from += together) {
    const records = Array.from({ length: Math.min(together, first + count - from) }, (_, index) => {
      const to = from + index;
      const value = encodeOutcome({ kind: 'row', from: to - 1, to, mappingVersion: 1, arrivedAt: to, line });
      return { value, headers: [], timestamp: to };
    });
    appended.push(log.append({ topic, partition: 0 }, records, { signal: never }));
  }
  await Promise.all(appended);
}

/** A topic of outcomes that no sink has. */
export async function makeTopic(log: EventLog, name: string): Promise<TopicDescription> {
  return await log.createTopic({ name, partitions: 1 }, { signal: never });
}

/** The documents of a sink of six columns, and its topics, which are empty. */
export async function makeSink({ catalog, sourceLog, sinkLog }: Ports): Promise<SinkProgress> {
  const source = await makeTopic(sourceLog, topics.source);
  const sink = await makeTopic(sinkLog, topics.sink);
  const progress = beginProgress({
    key,
    incarnation,
    topics: { ...topics, sourceIdentity: source.identity, sinkIdentity: sink.identity },
    mappingVersion: 1,
    starts: new Map([[0, 0]]),
    at: 0,
  });
  const columns = columnNames.map((name) => ({ type: 'body', name }));
  const mapping = { incarnation, version: 1, tableId, columns, allowedSignals: [] };
  await catalog.compareAndSet(
    { collection: 'mapping', id: mappingId(incarnation, 1), expected: undefined, value: mapping },
    { signal: never },
  );
  await catalog.compareAndSet(
    { collection: 'progress', id: progressId(incarnation), expected: undefined, value: progress },
    { signal: never },
  );
  return progress;
}
