import { parentPort, workerData } from 'node:worker_threads';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';

/** What a thread of a log test opens, and how often a message comes: see `log-thread.ts`. */
export interface LogThreadData {
  readonly path: string;
  readonly instance: string;
  readonly topic: string;
  readonly group: string;
}

export type LogThreadMessage =
  | { readonly kind: 'assigned'; readonly partitions: readonly number[] }
  | { readonly kind: 'read'; readonly partition: number; readonly text: string };

/** A thread with a log of its own: a group member that reads everything and copies it into the topic `copies`. */
const { path, instance, topic, group } = workerData as LogThreadData;
const waiting = { signal: new AbortController().signal };
const log = await openLmdbEventLog({ path, instance, clock: systemClock });
const member = await log.join({ group, member: instance }, waiting);
await member.subscribe([topic], waiting);
const tell = (message: LogThreadMessage) => parentPort?.postMessage(message);
let generation = 0;
for (;;) {
  const batches = await member.poll({ maxBytes: 1_000_000, maxWaitMs: 60_000 }, waiting);
  if (member.assignment.generation !== generation) {
    generation = member.assignment.generation;
    const { partitions } = member.assignment;
    tell({ kind: 'assigned', partitions: partitions.map(({ partition }) => partition) });
    for (const at of partitions) member.seek(at, 0);
  }
  for (const { partition, records } of batches) {
    if (records.length > 0) await log.append({ topic: 'copies', partition: 0 }, records, waiting);
    for (const { value } of records) tell({ kind: 'read', partition, text: Buffer.from(value).toString() });
  }
}
