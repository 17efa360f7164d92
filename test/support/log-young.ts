import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import type { NewRecord } from '../../src/ports/event-log.ts';

/**
 * `node --expose-gc --trace-gc-nvp log-young.ts FOLDER COUNT`: appends so many records with eight callers, each with a kilobyte of objects
 * that nobody needs once it is stored. Says `begun MS` after a full collection, in milliseconds since the process began: from then on
 * everything in the old generation was promoted by the young one.
 */
const [path = '', count = '0'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
const at = { topic: 'events', partition: 0 };
const callers = 8;

await using log = await openLmdbEventLog({ path, instance: 'main', first: true, clock: systemClock });
await log.createTopic({ name: at.topic, partitions: 1 }, waiting);

interface HeavyRecord extends NewRecord {
  readonly companion: readonly number[];
}

const value = Buffer.alloc(100, 1);
let left = 0;

async function append(): Promise<void> {
  while (left > 0) {
    left -= 1;
    const record: HeavyRecord = { value, headers: [], timestamp: left, companion: Array<number>(128).fill(left) };
    await log.append(at, [record], waiting);
  }
}

async function appendAll(records: number): Promise<void> {
  left = records;
  await Promise.all(Array.from({ length: callers }, append));
}

await appendAll(1000);
// What is in flight now becomes old, as it does in every full collection of a process under load.
const inFlight = appendAll(callers);
globalThis.gc?.();
await inFlight;
console.log(`begun ${performance.now()}`);
await appendAll(Number(count));
