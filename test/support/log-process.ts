import { writeSync } from 'node:fs';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';

/**
 * `node log-process.ts FOLDER follow COUNT`: appends records one after another and reads them as a group member; says
 * `ready`, then `acked N` after each answer and `seen N` when the member has the record; ends by itself.
 *
 * `node log-process.ts FOLDER flood ROUND`: appends without end with several clients to two partitions, the text
 * `ROUND.CLIENT.N` each, and says `acked ROUND.CLIENT.N` after each answer; ends when it is killed.
 */
const [path = '', mode = '', number = '0'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
const topic = 'events';
const floodClients = 16;

const log = await openLmdbEventLog({ path, instance: 'main', first: true, clock: systemClock });
await log.createTopic({ name: topic, partitions: 2 }, waiting);

const append = (text: string, partition: number) =>
  log.append({ topic, partition }, [{ value: Buffer.from(text), headers: [], timestamp: 0 }], waiting);

async function follow(count: number): Promise<void> {
  await using member = await log.join({ group: 'followers', member: 'follower' }, waiting);
  await member.subscribe([topic], waiting);
  while (member.assignment.generation === 0) await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, waiting);
  const at = member.assignment.partitions.find(({ partition }) => partition === 0);
  if (at !== undefined) member.seek(at, 0);
  writeSync(1, 'ready\n');
  const seeNext = async () => {
    for (;;) {
      const batches = await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, waiting);
      for (const { records } of batches) for (const { value } of records) return Buffer.from(value).toString();
    }
  };
  for (let n = 0; n < count; n++) {
    const seen = seeNext().then((text) => writeSync(1, `seen ${text}\n`));
    await append(String(n), 0);
    writeSync(1, `acked ${n}\n`);
    await seen;
  }
}

async function floodAs(client: number): Promise<never> {
  for (let n = 0; ; n++) {
    const text = `${number}.${client}.${n}`;
    await append(text, client % 2);
    writeSync(1, `acked ${text}\n`);
  }
}

if (mode === 'follow') {
  await follow(Number(number));
  await log[Symbol.asyncDispose]();
} else {
  await Promise.all(Array.from({ length: floodClients }, (_, client) => floodAs(client)));
}
