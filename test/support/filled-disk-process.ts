import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { MillraceError } from '../../src/core/millrace-error.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { identified } from './identified.ts';

/**
 * `node filled-disk-process.ts DISK ROUNDS`: appends to a log and writes to a catalog on the disk with several clients
 * each, while something else fills the disk to its last byte and frees it again, ROUNDS times. Trims the log to a few records,
 * but for the time until appends are refused. Prints what became of it, as JSON; exits with 1 when something acknowledged is missing.
 */
const [disk = '', rounds = '1'] = process.argv.slice(2);
const waiting = { signal: new AbortController().signal };
const topic = 'events';
const at = { topic, partition: 0 };
const ballast = join(disk, 'ballast');
const sizes = [40_000, 200, 5_000, 120_000];

await using log = await openLmdbEventLog({
  path: join(disk, 'log'),
  instance: 'main',
  first: true,
  clock: systemClock,
});
await using catalog = await openLmdbCatalog({ path: join(disk, 'catalog') });
await log.createTopic({ name: topic, partitions: 1 }, waiting);

const counts: Record<string, number> = {};
const count = (what: string): void => void (counts[what] = (counts[what] ?? 0) + 1);
/** By offset: the first bytes of what was acknowledged there. */
const acknowledged = new Map<number, string>();
const documents = new Map<string, number>();
const done = new AbortController();
let trims = true;
let number = 0;

/** True: it was done. What is refused is counted by its code. */
async function attempt(what: string, act: () => Promise<void>): Promise<boolean> {
  try {
    await act();
    count(what);
    return true;
  } catch (thrown) {
    if (!(thrown instanceof MillraceError)) throw thrown;
    count(`${what} ${thrown.code}`);
    await turn();
    return false;
  }
}

async function appendAs(client: number): Promise<void> {
  for (let n = client; !done.signal.aborted; n++) {
    number += 1;
    const text = String(number).padEnd(sizes[n % sizes.length] ?? 1, '.');
    await attempt('append', async () => {
      const offset = await log.append(at, [{ value: Buffer.from(text), headers: [], timestamp: 0 }], waiting);
      acknowledged.set(offset, text.slice(0, 12));
    });
  }
}

async function writeAs(client: number): Promise<void> {
  const id = `document-${client}`;
  for (let n = 0; !done.signal.aborted; n++) {
    const value = { n, text: 'x'.repeat(sizes[n % sizes.length] ?? 1) };
    await attempt('write', async () => {
      const expected = documents.get(id);
      const result = await catalog.compareAndSet({ collection: 'sink', id, expected, value }, waiting);
      if (result.kind === 'written') documents.set(id, result.revision);
      else count('conflict');
    });
    await turn();
  }
}

async function trim(): Promise<void> {
  for (; !done.signal.aborted; await turn()) {
    const { first, durableEnd } = await log.range(at, waiting);
    if (!trims || durableEnd - first < 60) continue;
    await attempt('trim', async () => log.trim(await identified(log, at), durableEnd - 20, waiting));
  }
}

async function untilCount(what: string, more: number): Promise<void> {
  const wanted = (counts[what] ?? 0) + more;
  const deadline = Date.now() + 120_000;
  while ((counts[what] ?? 0) < wanted) {
    if (Date.now() > deadline) throw new Error(`"${what}" was not counted ${more} times: ${JSON.stringify(counts)}`);
    await turn();
  }
}

function fillToTheLastByte(): void {
  for (const bytes of [1024 * 1024, 4096, 1]) {
    try {
      for (;;) writeFileSync(ballast, Buffer.alloc(bytes, 1), { flag: 'a' });
    } catch (thrown) {
      if (!String(thrown).includes('ENOSPC')) throw thrown;
    }
  }
}

const clients = [appendAs(0), appendAs(1), appendAs(2), appendAs(3), writeAs(0), writeAs(1), trim()];
try {
  for (let round = 0; round < Number(rounds); round++) {
    await untilCount('append', 50);
    trims = false;
    fillToTheLastByte();
    await untilCount('append log.diskFull', 20);
    await untilCount('write', 20);
    trims = true;
    // Nothing but pages that were freed is there for these.
    if (round % 2 === 0) await untilCount('append', 50);
    rmSync(ballast);
  }
  await untilCount('append', 50);
} finally {
  done.abort();
  await Promise.all(clients);
}

let missing = 0;
const { first, durableEnd } = await log.range(at, waiting);
for (let from = first; from < durableEnd;) {
  const { records, next } = await log.read(await identified(log, at), from, waiting);
  for (const { offset, value } of records) {
    if (acknowledged.get(offset) !== Buffer.from(value).toString('utf8', 0, 12)) missing += 1;
    acknowledged.delete(offset);
  }
  from = next;
}
missing += [...acknowledged.keys()].filter((offset) => offset >= first).length;
for (const [id, revision] of documents) {
  if ((await catalog.get('sink', id, waiting))?.revision !== revision) missing += 1;
}
process.stdout.write(JSON.stringify({ ...counts, missing }));
process.exitCode = missing === 0 ? 0 : 1;
