import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never, source, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { GatedPuts } from '../../../test/support/gated-puts.ts';
import { limits } from '../../core/limits.ts';
import { encodeOutcome, outcomeHeaders } from '../../core/outcome.ts';
import { raiseFloor, seal, tear } from '../../core/progress/seal.ts';
import { entryOf, isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { close, open } from '../../core/progress/switch.ts';
import type { IdentifiedPartition, NewRecord, RecordBatch } from '../../ports/event-log.ts';
import { readProgress } from '../replica/progress-document.ts';
import { StatusBoard } from '../status/status-board.ts';
import { PartitionReader } from './partition-reader.ts';
import { identified } from '../../../test/support/identified.ts';
import { endsAt } from '../../../test/support/progress-of.ts';
import { Trigger } from '../../core/trigger.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { LineBlocks } from './line-blocks.ts';
import { UploadTurns } from './upload-turns.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

let world: DeliveryWorld;
let sink: WorldSink;
let at: IdentifiedPartition;
let folder: string;
let faults: Faults;
let gated: GatedPuts;
let reader: PartitionReader;
let failures: string[];
let sealed: number;
let records: NewRecord[];

/** Two rows make a slice. */
const trigger = new Trigger({ count: 2, sizeBytes: 1e9, intervalMs: 60_000, slices: Number.POSITIVE_INFINITY });

beforeEach(async () => {
  world = await DeliveryWorld.open();
  sink = await world.addSink();
  folder = await mkdtemp(join(tmpdir(), 'millrace-reader-'));
  faults = new Faults();
  gated = new GatedPuts(world.ports.objects);
  [failures, sealed] = [[], 0];
  at = await identified(world.ports.sinkLog, { topic: sink.topic, partition: 0 });
  await map(100);
  reader = newReader();
  await reader.start(never);
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

function newReader(): PartitionReader {
  const ports = faults.behind(world.ports);
  let made = 0;
  return new PartitionReader(at, sink.incarnation, {
    ...ports,
    objects: gated.store,
    turns: new UploadTurns(),
    blocks: new LineBlocks(),
    compression: () => ({ type: 'none', gzipLevel: 1 }),
    folder,
    clock: world.clock,
    unique: () => `${performance.now().toString(36).replace('.', '')}${(made += 1)}`,
    status: new StatusBoard({
      catalog: world.ports.catalog,
      clock: world.clock,
      role: 'stage',
      member: 'test',
      observer: { sinkFailed: ({ code }) => void failures.push(code), sinkHealed: () => void failures.push('healed') },
    }),
    observer: {
      sliceSealed: () => void (sealed += 1),
      topicTorn: () => undefined,
      uploadsWait: () => undefined,
      holesFound: () => undefined,
    },
    trigger: () => trigger,
    retry: new RetryPacing({ firstMs: 1000, capMs: 60_000 }, () => 0.5),
    onSettled: () => undefined,
  });
}

/** Maps so many events of the source; rows are too large for memory. */
async function map(count: number): Promise<void> {
  await world.produce(count);
  records = Array.from({ length: count }, (_, from) => {
    const line = Buffer.from(`"${from}${'x'.repeat(150_000)}"\n`);
    const outcome = { kind: 'row', from: from - 1, to: from, mappingVersion: 1, arrivedAt: 1, line } as const;
    return { value: encodeOutcome(outcome), headers: [], timestamp: 1 };
  });
  await world.ports.sinkLog.append({ topic: sink.topic, partition: 0 }, records, never);
}

/** What a poll would give the reader now: so many records from where it stands. */
function batch(count: number): RecordBatch {
  const from = reader.position ?? 0;
  const taken = records.slice(from, from + count).map((record, index) => placedRecord(record, from + index));
  return { ...at, first: 0, next: from + taken.length, records: taken, missing: 'lost' };
}

/** Hands it records; undefined when it took them without waiting. */
function offer(count: number): Promise<void> | undefined {
  return reader.process(batch(count), never);
}

function openAll(): void {
  for (const { open } of gated.puts) open();
}

/** Lets every upload go on, also those that begin meanwhile, until the work is done. */
async function openUntil(work: Promise<void> | undefined): Promise<void> {
  let isDone = false;
  const done = Promise.resolve(work).finally(() => {
    isDone = true;
  });
  await world.until(() => {
    openAll();
    return isDone;
  });
  await done;
}

async function settled(): Promise<void> {
  await world.until(() => reader.hasSettled);
  await reader.settle(never);
}

async function staged(): Promise<readonly number[]> {
  return (await world.progress(sink)).staged.map(({ to }) => to);
}

/** Lets it seal one slice after the other until so many may be behind. */
async function warmUp(slices: number): Promise<void> {
  for (let index = 0; index < slices; index += 1) {
    expect(offer(2)).toBeUndefined();
    openAll();
    await settled();
  }
}

it('D4: tells what is being sealed and what is open, one after the other, until the document has it', async () => {
  await warmUp(2);
  expect(offer(5)).toBeUndefined();
  const told = () => reader.openSlices(world.clock.monotonic());
  expect(told()).toMatchObject([
    { isClosing: true, from: 3, to: 5, rows: 2, dead: 0, rowBytes: 300_008, bytes: 300_008, firstArrival: 1 },
    { isClosing: true, from: 5, to: 7, rows: 2, lastArrival: 1 },
    { isClosing: false, from: 7, to: 8, rows: 1, rowBytes: 150_004, ageMs: 0 },
  ]);
  while (told().length > 1) {
    openAll();
    await settled();
    const { source } = entryOf(await world.progress(sink), 0);
    expect(told().some(({ from }) => from === source)).toBe(true);
  }
  expect(told()).toMatchObject([{ isClosing: false, from: 7, to: 8 }]);
  reader.drop();
  expect(told()).toEqual([]);
});

it('after a start one slice may be behind, and one more with each that is sealed', async () => {
  const first = offer(4);
  await world.until(() => gated.puts.length === 1);
  await world.pass(1000);
  expect(gated.puts, 'the second waits for the first').toHaveLength(1);
  openAll();
  await world.until(() => gated.puts.length === 2);
  await first;
  const second = offer(4);
  await world.until(() => gated.puts.length === 3);
  await world.pass(1000);
  expect(gated.puts, 'the fourth waits for the second').toHaveLength(3);
  await openUntil(second);
  await openUntil(reader.close('drain', never));
  expect(await staged()).toEqual([1, 3, 5, 7]);
  expect(sealed).toBe(4);
});

it('D2, D3: an upload that fails among three is reported, and all is sealed once when it is tried again', async () => {
  await warmUp(3);
  const begun = gated.puts.length;
  expect(offer(7)).toBeUndefined();
  expect(gated.puts).toHaveLength(begun + 3);
  gated.puts[begun + 1]?.fail(new Error('the bucket is away'));
  gated.puts[begun]?.open();
  await settled();
  await world.until(() => reader.position === undefined || reader.hasSettled);
  await reader.settle(never);
  expect(reader.position).toBeUndefined();
  expect(failures).toHaveLength(1);
  await reader.ended();
  expect(await readdir(folder)).toEqual([]);
  expect(await staged()).toEqual([1, 3, 5, 7]);
  expect(sealed, 'what was sealed is told, though a later one failed').toBe(4);
  expect(reader.startAt).toBeGreaterThan(world.clock.monotonic());
  await reader.start(never);
  const again = offer(4);
  await world.until(() => gated.puts.length === begun + 4);
  await world.pass(1000);
  expect(gated.puts, 'one at a time after a start').toHaveLength(begun + 4);
  await openUntil(again);
  await openUntil(reader.close('drain', never));
  expect(await staged()).toEqual([1, 3, 5, 7, 9, 11]);
  expect(failures.at(-1)).toBe('healed');
});

it('D6: a slice that waits long for its upload is told while it waits, and heals when it is sealed', async () => {
  const work = offer(4);
  await world.until(() => gated.puts.length === 1);
  const tell = (): void => reader.tellLate(world.clock.monotonic());
  tell();
  expect(failures).toEqual([]);
  await world.pass(limits.uploadSlowMs, 5000);
  tell();
  tell();
  expect(failures).toEqual(['stage.slow']);
  await world.pass(limits.uploadSlowMs, 5000);
  tell();
  expect(failures).toEqual(['stage.slow', 'stage.slow']);
  gated.puts[0]?.open();
  await world.until(() => gated.puts.length === 2);
  expect(failures.at(-1)).toBe('healed');
  await openUntil(work);
  await openUntil(reader.close('drain', never));
  tell();
  expect(failures).toEqual(['stage.slow', 'stage.slow', 'healed']);
  expect(await staged()).toEqual([1, 3]);
});

it('D3: a write whose answer is lost is found in the document, and reported no longer', async () => {
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'lostAnswer' });
  // Nor can it be looked whether it has happened.
  faults.add({ port: 'catalog', method: 'get', kind: 'lostRequest' });
  expect(offer(2)).toBeUndefined();
  openAll();
  await settled();
  expect(reader.position).toBeUndefined();
  expect(failures).toHaveLength(1);
  await reader.start(never);
  expect(reader.position).toBe(2);
  expect(failures.at(-1)).toBe('healed');
  expect(await staged()).toEqual([1]);
});

it('who leaves while three slices are under way aborts them, and leaves neither file nor upload', async () => {
  await warmUp(3);
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'held' });
  const begun = gated.puts.length;
  expect(offer(7)).toBeUndefined();
  gated.puts[begun]?.open();
  await world.until(() => faults.struck === 1);
  reader.leave();
  await faults.deliver();
  await reader.ended();
  expect(gated.waiting).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect(failures).toEqual([]);
  // Whoever has the partition now goes on where the document stands.
  reader = newReader();
  await reader.start(never);
  expect(offer(1)).toBeUndefined();
  await openUntil(reader.close('drain', never));
  const ends = await staged();
  expect(new Set(ends).size).toBe(ends.length);
  expect(ends.at(-1)).toBe(reader.position === undefined ? -1 : reader.position - 1);
});

it('a document that changes elsewhere while slices are behind is taken with the next seal', async () => {
  await warmUp(1);
  expect(offer(3)).toBeUndefined();
  await world.change(sink, (progress) => raiseFloor(progress, 1));
  openAll();
  await settled();
  expect(await staged()).toEqual([1, 3]);
  expect(failures).toEqual([]);
  expect(reader.position).toBe(5);
  expect(reader.neededFrom).toBe(4);
});

it('a close waits for the slices behind, and for its own', async () => {
  await warmUp(2);
  expect(offer(5)).toBeUndefined();
  const closing = reader.close('drain', never);
  await world.pass(1000);
  expect(await staged()).toEqual([1, 3]);
  await openUntil(closing);
  expect(await staged()).toEqual([1, 3, 5, 7, 8]);
  expect(await readdir(folder)).toEqual([]);
});

it('D2: a gap is judged by a document that is read after it was met: what is missing may be outside by now', async () => {
  await world.change(sink, (progress) => {
    const disabled = close(progress, endsAt(0), { deleted: false });
    return isRefused(disabled) ? disabled : open(disabled, endsAt(99));
  });
  const [last] = records.slice(99);
  if (last === undefined) throw new Error('there are a hundred records');
  const beyond: RecordBatch = { ...batch(0), next: 1, records: [placedRecord(last, 0)] };
  await reader.process(beyond, never);
  expect(reader.position, 'it starts again from the document').toBeUndefined();
  await reader.start(never);
  expect(reader.process(beyond, never)).toBeUndefined();
  expect(failures).toEqual([]);
  expect(reader.openSlices(world.clock.monotonic())).toMatchObject([{ to: 99, rows: 1 }]);
});

it('D2: what lies beyond the intervals is judged by a document that is read after it was met: the sink may be enabled by now', async () => {
  const disable = (progress: SinkProgress) => close(progress, endsAt(0), { deleted: false });
  await world.change(sink, disable);
  reader.drop();
  await reader.start(never);
  await world.change(sink, (progress) => open(progress, endsAt(0)));
  await offer(1);
  expect(reader.position, 'it starts again from the document').toBeUndefined();
  await reader.start(never);
  expect(offer(1)).toBeUndefined();
  expect(reader.openSlices(world.clock.monotonic())).toMatchObject([{ to: 0, rows: 1 }]);
  await world.change(sink, (progress) => close(progress, endsAt(1), { deleted: false }));
  reader.drop();
  await reader.start(never);
  await offer(2);
  expect(reader.position, 'the newest document says so, too').toBe(2);
  expect(failures).toEqual([]);
});

/** Hands it one record as if it stood where the reader is, as in a log that leaves offsets out. */
function offerAlone(index: number): Promise<void> {
  const offset = reader.position ?? 0;
  const one = records.slice(index, index + 1).map((record) => placedRecord(record, offset));
  return Promise.resolve(reader.process({ ...batch(0), next: offset + 1, records: one, missing: 'none' }, never));
}

it('D2: a gap that the newest document does not explain is noted, so that what is missing is mapped again', async () => {
  await offerAlone(0);
  await openUntil(offerAlone(2));
  const noted = { sink: 2, source: 0, torn: { low: 2, end: 100 } };
  expect(entryOf(await world.progress(sink), 0)).toMatchObject(noted);
  expect(reader.position).toBe(2);
  await offerAlone(3);
  expect(entryOf(await world.progress(sink), 0), 'it comes again').toMatchObject(noted);
  await offerAlone(1);
  expect(reader.openSlices(world.clock.monotonic())).toMatchObject([{ from: 0, to: 1, rows: 1 }]);
  expect(await staged()).toEqual([0]);
  expect(failures).toEqual([]);
});

it('D2, D4: a gap that the source has lost, too, is holes at once, and what stands behind it is taken', async () => {
  const inSource = await identified(world.ports.sourceLog, { topic: source, partition: 0 });
  await world.ports.sourceLog.trim(inSource, 100, never);
  await offerAlone(0);
  await openUntil(offerAlone(5));
  expect(entryOf(await world.progress(sink), 0)).toMatchObject({ sink: 1, torn: { low: 1, end: 100, lost: 100 } });
  expect(reader.openSlices(world.clock.monotonic())).toMatchObject([{ from: 0, to: 5, rows: 1 }]);
  await openUntil(reader.close('drain', never));
  expect(await staged()).toEqual([0, 5]);
  expect((await world.progress(sink)).totals[0]).toMatchObject({ passed: 6, holes: 4 });
  expect(failures).toEqual([]);
});

it('D2: a gap of which nobody takes note is told until it is mapped again', async () => {
  await world.change(sink, (progress) =>
    tear(progress, { partition: 0, base: entryOf(progress, 0), low: 1, sourceEnd: 3, sourceFirst: 0 }),
  );
  reader.drop();
  await reader.start(never);
  await offerAlone(2);
  expect(failures).toEqual([]);
  await offerAlone(3);
  expect(failures).toEqual(['progress.gap']);
  expect(entryOf(await world.progress(sink), 0)).toMatchObject({ sink: 3, source: -1, torn: { low: 3, end: 100 } });
  await reader.start(never);
  await offerAlone(5);
  expect(failures, 'nothing has come of it').toEqual(['progress.gap']);
  await offerAlone(0);
  await openUntil(offerAlone(1));
  await openUntil(reader.close('drain', never));
  expect(await staged()).toEqual([1]);
  expect(failures).toEqual(['progress.gap', 'healed']);
});

it('D2: a gap whose events the source does not have at all is told, too', async () => {
  records[100] = {
    value: encodeOutcome({ kind: 'none', from: 99, to: 100, mappingVersion: 1 }),
    headers: [],
    timestamp: 1,
  };
  await offerAlone(100);
  expect(failures).toEqual(['progress.gap']);
  expect(reader.position).toBeUndefined();
});

it('D2, D3: outcomes of other events at offsets that it has taken are noted, and what the topic has is taken', async () => {
  const [first, second, third] = records;
  if (first === undefined || second === undefined || third === undefined) throw new Error('there are no records');
  records = [
    { ...first, headers: outcomeHeaders(4) },
    { ...second, headers: outcomeHeaders(4) },
    { ...first, headers: outcomeHeaders(6) },
    { ...third, headers: outcomeHeaders(6) },
  ];
  for (const offset of [0, 1, 2, 3]) await openUntil(offerAlone(offset));
  await openUntil(reader.close('drain', never));
  expect(entryOf(await world.progress(sink), 0)).toMatchObject({ source: 2, epoch: 6, cut: 0 });
  expect(await staged()).toEqual([1, 2]);
  expect(failures).toEqual([]);
});

it('D3: a reader that sees that its entry was moved by another one drops what it holds', async () => {
  expect(offer(1)).toBeUndefined();
  await world.change(sink, (progress) => {
    const base = entryOf(progress, 0);
    const counts = { filtered: 5, holes: 0, none: 0 };
    return seal(progress, { partition: 0, base, sink: 5, source: 4, ...counts, stamp: 0 });
  });
  const document = await readProgress(world.ports.catalog, sink.incarnation, never);
  if (document === undefined) throw new Error('the sink has a document');
  reader.notice(document);
  expect(reader.position).toBeUndefined();
  await reader.start(never);
  expect(reader.position).toBe(5);
});

it('D3: a sink topic that ends below the position of the document stops it with an alarm', async () => {
  await world.change(sink, (progress) => {
    const base = entryOf(progress, 0);
    const counts = { filtered: 5, holes: 0, none: 0 };
    return seal(progress, { partition: 0, base, sink: 101, source: 4, ...counts, stamp: 0 });
  });
  reader.drop();
  await reader.start(never);
  expect(failures).toEqual(['progress.logBehind']);
  expect(reader.position).toBeUndefined();
});

it('D2: a torn topic is noted with the first offset that is left and the end of the source', async () => {
  await reader.process({ ...batch(0), first: 7, next: 7 }, never);
  expect(entryOf(await world.progress(sink), 0)).toMatchObject({ sink: 7, source: -1, torn: { low: 7, end: 100 } });
  expect(reader.position).toBe(7);
  expect(failures).toEqual([]);
});
