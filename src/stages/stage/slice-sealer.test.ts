import { readdirSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { GatedPuts } from '../../../test/support/gated-puts.ts';
import { madeTrace } from '../../../test/support/made-trace.ts';
import { endsAt } from '../../../test/support/progress-of.ts';
import { ToldSpans } from '../../../test/support/told-spans.ts';
import type { Compression } from '../../core/compression.ts';
import { limits } from '../../core/limits.ts';
import { encodeOutcome, OutcomeHeader } from '../../core/outcome.ts';
import { advance, floorNow, raiseFloor } from '../../core/progress/seal.ts';
import { entryOf, type PartitionEntry } from '../../core/progress/sink-progress.ts';
import { close } from '../../core/progress/switch.ts';
import { LineBlocks } from './line-blocks.ts';
import { OpenSlice } from './open-slice.ts';
import { readProgress, type ReadProgress } from '../replica/progress-document.ts';
import { SliceSealer } from './slice-sealer.ts';
import type { ClosedSlice } from './upload-slice.ts';
import { UploadTurns } from './upload-turns.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

let world: DeliveryWorld;
let sink: WorldSink;
let folder: string;
let faults: Faults;
let gated: GatedPuts;
let sealer: SliceSealer;
let document: ReadProgress;
let base: PartitionEntry;
let made: number;
let turns: UploadTurns;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  sink = await world.addSink();
  await world.produce(100);
  folder = await mkdtemp(join(tmpdir(), 'millrace-sealer-'));
  faults = new Faults();
  gated = new GatedPuts(world.ports.objects);
  made = 0;
  turns = new UploadTurns();
  await begin();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** A sealer as a reader has it that has just read the document. */
async function begin(spans?: ToldSpans): Promise<void> {
  const { catalog } = faults.behind(world.ports);
  const unique = (): string => String((made += 1));
  const compression = (): Compression => ({ type: 'none', gzipLevel: 1 });
  sealer = new SliceSealer({ catalog, objects: gated.store, clock: world.clock, unique, turns, compression, spans });
  const read = await readProgress(catalog, sink.incarnation, never);
  if (read === undefined) throw new Error('there is no document');
  document = read;
  base = entryOf(read.value, 0);
}

/** The next slice of so many rows, too large for memory. */
function closed(rows = 2): ClosedSlice {
  const open = new OpenSlice(folder, String((made += 1)), new LineBlocks(0));
  const header = new OutcomeHeader();
  let { source } = base;
  for (let row = 0; row < rows; row += 1) {
    const line = Buffer.from(`"${'x'.repeat(200_000)}"\n`);
    const from = source;
    const value = encodeOutcome({ kind: 'row', from, to: from + 1, mappingVersion: 1, arrivedAt: 1, line });
    header.read(value);
    open.add(header, placedRecord({ value, headers: [], timestamp: 1 }, source));
    source += 1;
  }
  const positions = { partition: 0, base, sink: base.sink + rows, source };
  base = advance(base, positions);
  return { document, positions, open };
}

function seals(count: number) {
  return Array.from({ length: count }, () => outcomeOf(sealer.seal(closed(), never)));
}

/** What became of a slice, in a word. */
function outcomeOf(work: ReturnType<SliceSealer['seal']>): Promise<string> {
  return work.then(
    ({ kind }) => kind,
    (thrown: Error) => `failed: ${thrown.message}`,
  );
}

async function staged(): Promise<readonly (readonly [number, number])[]> {
  return (await world.progress(sink)).staged.map(({ from, to }) => [from, to]);
}

/** An upload ends when the local files have been checked once more, and go. */
async function uploadedAllBut(count: number): Promise<void> {
  await world.until(() => readdirSync(folder).length === count);
}

/** Ends what is left, and checks that nothing of it is left on the disk. */
async function expectNoFiles(): Promise<void> {
  await sealer.abandon();
  expect(await readdir(folder)).toEqual([]);
}

it('slices that are uploaded in any order are sealed in their own, together', async () => {
  let writes = 0;
  const count = (): boolean => {
    writes += 1;
    return false;
  };
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'lostRequest', when: count });
  const outcomes = seals(3);
  for (const index of [2, 1]) {
    gated.puts[index]?.open();
    await uploadedAllBut(index);
  }
  expect(await staged()).toEqual([]);
  gated.puts[0]?.open();
  expect(await Promise.all(outcomes)).toEqual(['sealed', 'sealed', 'sealed']);
  expect(await staged()).toEqual([
    [-1, 1],
    [1, 3],
    [3, 5],
  ]);
  expect(writes).toBe(1);
  await expectNoFiles();
});

it('an upload that fails in the middle ends the slices after it; those before it are sealed', async () => {
  const outcomes = seals(4);
  gated.puts[1]?.fail(new Error('no space'));
  gated.puts[2]?.open();
  expect(await Promise.all(outcomes.slice(1))).toEqual(Array(3).fill('failed: no space'));
  expect(await outcomeOf(sealer.seal(closed(), never))).toBe('failed: no space');
  gated.puts[0]?.open();
  expect(await outcomes[0]).toBe('sealed');
  expect(await staged()).toEqual([[-1, 1]]);
  await expectNoFiles();
});

it('an upload that fails while slices before it are being written leaves them in peace', async () => {
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'held' });
  const outcomes = seals(3);
  gated.puts[0]?.open();
  await world.until(() => faults.struck === 1);
  gated.puts[1]?.fail(new Error('no space'));
  expect(await Promise.all(outcomes.slice(1))).toEqual(Array(2).fill('failed: no space'));
  await faults.deliver();
  expect(await outcomes[0]).toBe('sealed');
  expect(await staged()).toEqual([[-1, 1]]);
  await expectNoFiles();
});

it('D3: a write whose answer is lost seals nothing more, and who starts again from the document seals nothing twice', async () => {
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'lostAnswer' });
  faults.add({ port: 'catalog', method: 'get', kind: 'lostRequest' });
  const outcomes = seals(2);
  gated.puts[0]?.open();
  expect(await outcomes[0]).toContain('no answer');
  gated.puts[1]?.open();
  expect(await outcomes[1]).toContain('no answer');
  expect(await staged()).toEqual([[-1, 1]]);
  await expectNoFiles();
  await begin();
  const [again] = seals(1);
  gated.puts.at(-1)?.open();
  expect(await again).toBe('sealed');
  expect(await staged()).toEqual([
    [-1, 1],
    [1, 3],
  ]);
});

it('D3: an entry that changes while three slices are being uploaded supersedes all of them', async () => {
  const outcomes = seals(3);
  await world.change(sink, (progress) => close(progress, endsAt(50), { deleted: false }));
  gated.puts[0]?.open();
  expect(await Promise.all(outcomes)).toEqual(Array(3).fill('superseded'));
  expect(await outcomeOf(sealer.seal(closed(), never))).toBe('superseded');
  for (const { open } of gated.puts) open();
  await world.until(() => gated.waiting === 0);
  expect(await staged()).toEqual([]);
  await expectNoFiles();
});

it('what is abandoned is aborted, its files are gone when that has ended, and what is written already stays written', async () => {
  faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'held' });
  const outcomes = seals(3);
  gated.puts[0]?.open();
  await world.until(() => faults.struck === 1);
  const ended = sealer.abandon();
  expect(await Promise.all(outcomes.slice(1))).toEqual(Array(2).fill('failed: This operation was aborted'));
  await faults.deliver();
  await ended;
  expect(gated.waiting).toBe(0);
  expect(await readdir(folder)).toEqual([]);
  expect((await staged()).length).toBeLessThanOrEqual(1);
});

it('an abort during an upload rejects with its reason and leaves no file', async () => {
  const aborter = new AbortController();
  const work = outcomeOf(sealer.seal(closed(), { signal: aborter.signal }));
  aborter.abort(new Error('enough'));
  expect(await work).toBe('failed: enough');
  await expectNoFiles();
});

it('D8: past the bound a slice is refused before it is uploaded; slices that do not fit together are staged again', async () => {
  const full = Array.from({ length: limits.stagedSlices }, (_, index) => ({
    id: `other${index}`,
    partition: 1,
    mappingVersion: 1,
    from: index - 1,
    to: index,
    rows: 1,
    dead: 0,
    firstArrival: 1,
    lastArrival: 1,
    stagedAt: 1,
  }));
  await world.change(sink, (progress) => ({ ...progress, staged: full.slice(1) }));
  await begin();
  const outcomes = seals(2);
  gated.puts[1]?.open();
  await uploadedAllBut(1);
  gated.puts[0]?.open();
  expect(await Promise.all(outcomes)).toEqual(['superseded', 'superseded']);
  expect(await staged()).toHaveLength(limits.stagedSlices - 1);
  await world.change(sink, (progress) => ({ ...progress, staged: full }));
  await begin();
  const begun = gated.puts.length;
  expect(await seals(1)[0]).toContain('slices wait for their import');
  expect(gated.puts).toHaveLength(begun);
  await expectNoFiles();
});

it('D2, D6: a slice whose stamp the floor has passed is a failure that is told; the next try has newer names', async () => {
  const [outcome] = seals(1);
  await world.until(() => gated.waiting === 1);
  world.clock.advance(limits.uploadLeaseMs + 10);
  await world.change(sink, (progress) => raiseFloor(progress, floorNow(world.clock.now())));
  gated.puts[0]?.open();
  expect(await outcome).toContain('the clean-up has reached');
  expect(await staged()).toEqual([]);
  await begin();
  const [again] = seals(1);
  gated.puts.at(-1)?.open();
  expect(await again).toBe('sealed');
  await expectNoFiles();
});

it('D2: names are stamped when the upload begins, however long the slice has waited for its turn', async () => {
  const other = await turns.take(limits.uploadBytesAtOnce, never);
  const [outcome] = seals(1);
  await world.pass(limits.uploadLeaseMs + 10, 60_000);
  expect(gated.puts).toHaveLength(0);
  await world.change(sink, (progress) => raiseFloor(progress, floorNow(world.clock.now())));
  other[Symbol.dispose]();
  await world.until(() => gated.waiting === 1);
  gated.puts[0]?.open();
  expect(await outcome).toBe('sealed');
  await expectNoFiles();
});

it('a document that has changed elsewhere meanwhile is read again, and the slice is sealed', async () => {
  await world.change(sink, (progress) => raiseFloor(progress, 1));
  const stale = document;
  await begin();
  document = stale;
  const outcomes = seals(1);
  gated.puts[0]?.open();
  expect(await Promise.all(outcomes)).toEqual(['sealed']);
  expect(await staged()).toEqual([[-1, 1]]);
  await expectNoFiles();
});

it('H1: a slice keeps its spans in the document, and their ends say whether it was sealed', async () => {
  const spans = new ToldSpans();
  await begin(spans);
  const [first, second] = [madeTrace(), madeTrace()].map(({ traceparent }) => {
    const slice = closed();
    slice.open.follow(traceparent, world.clock.monotonic());
    return sealer.seal(slice, never);
  });
  gated.puts[0]?.open();
  expect((await first)?.kind).toBe('sealed');
  gated.puts[1]?.fail(new Error('no space'));
  await expect(second).rejects.toThrow('no space');
  const [own, share, ...rest] = spans.told;
  expect((await world.progress(sink)).staged.map(({ traceparents }) => traceparents)).toEqual([[share?.traceparent]]);
  expect(own?.links).toHaveLength(1);
  expect([own, share].map((span) => span?.ended?.failure)).toEqual([undefined, undefined]);
  const failed = rest.filter(({ ended }) => ended?.failure !== undefined).map(({ name }) => name);
  expect(failed.map((name) => name.split(' ')[0])).toEqual(['stage', 'stage', 'upload', 'upload']);
  await expectNoFiles();
});
