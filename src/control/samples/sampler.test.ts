import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { importAll, stageAll } from '../../../test/support/deliver.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { putRaw } from '../../../test/support/put-raw.ts';
import { sampleSteps } from '../../core/accounts/samples.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { defaultBranch, parseSourceId } from '../../core/ids.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { Definitions } from '../store/definitions.ts';
import { FencedCatalog } from '../seat/fenced-catalog.ts';
import { Seat } from '../seat/seat.ts';
import { reportConservation, type ConservationReport, type ReportedSink } from './conservation-report.ts';
import { Sampler } from './sampler.ts';

const signal = new AbortController().signal;
const minute = 60_000;
const hour = 60 * minute;
const begin = Date.UTC(2026, 0, 1);

let harness: AdminHarness;
let clock: FakeClock;
let sampler: Sampler;

beforeEach(async () => {
  // The service takes no samples beside those of the test, when a minute of the wall begins.
  harness = await startAdmin((dependencies) => ({ ...dependencies, samplingClock: new FakeClock() }));
  clock = new FakeClock(begin);
  sampler = another();
  const columns = [{ type: 'body', name: 'body' }];
  const sinks = ['orders', 'mail'].map((sinkId) => ({
    name: sinkId,
    sinkId,
    table: { tableId: `in.c-shop.${sinkId}`, mapping: { columns } },
  }));
  await harness.api.task('POST', '/v1/branches/default/sources', {
    type: 'http',
    name: 'shop',
    sourceId: 'shop',
    sinks,
  });
});

afterEach(() => harness[Symbol.asyncDispose]());

/** As of a process that has taken the seat just now. */
function another(): Sampler {
  return new Sampler({ ...harness.dependencies, samplingClock: clock });
}

async function send(count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

/** Of both sinks. */
async function deliver(step: typeof stageAll): Promise<void> {
  for (const id of ['orders', 'mail']) await step(harness.dependencies, (await sink(id)).incarnation);
}

/** A round in each of the next minutes. */
async function sample(minutes: number): Promise<void> {
  for (let count = 0; count < minutes; count += 1) {
    clock.advance(minute);
    await sampler.round({ signal });
  }
}

function report(
  sinceMs = 24 * hour,
  instead: Partial<Pick<AdminHarness['dependencies'], 'ledger'>> = {},
): Promise<ConservationReport> {
  const definitions = new Definitions(harness.dependencies.catalog);
  const parts = { ...harness.dependencies, samplingClock: clock, definitions, ...instead };
  return reportConservation(parts, { branchId: defaultBranch, sinceMs }, { signal });
}

async function sink(sinkId: string, sinceMs?: number): Promise<ReportedSink> {
  const { sources } = await report(sinceMs);
  const found = sources.flatMap(({ sinks }) => sinks).find(({ key }) => key.sinkId === sinkId);
  if (found === undefined) throw new Error(`nothing is reported of ${sinkId}`);
  return found;
}

const after = (minutes: number): number => begin + minutes * minute;

test('N3: a minute has a sample of each sink, with the numbers of that minute', async () => {
  await sample(1);
  await send(5);
  await sample(2);
  await deliver(stageAll);
  await sample(1);
  await deliver(importAll);
  await sample(1);
  for (const id of ['orders', 'mail']) {
    const { samples, gaps } = await sink(id);
    expect(gaps).toEqual([]);
    expect(
      samples.map(({ at, accepted, inFlight, staged, imported }) => [at, accepted, inFlight, staged, imported]),
    ).toEqual([
      [after(1), 0, 0, 0, 0],
      [after(2), 5, 5, 0, 0],
      [after(3), 5, 5, 0, 0],
      [after(4), 5, 0, 5, 0],
      [after(5), 5, 0, 0, 5],
    ]);
  }
});

test('N4: a minute without a sample is a gap, for all and for each sink; who goes on after a kill adds to what is there', async () => {
  await send(1);
  await sample(2);
  sampler = another();
  clock.advance(7 * minute);
  await sample(2);
  const { gaps, sources } = await report();
  const missing = { from: after(3), to: after(10) };
  expect(gaps).toEqual([{ from: after(11) - 24 * hour, to: after(1) }, missing]);
  expect(sources[0]?.sinks.map((one) => one.gaps)).toEqual([[missing], [missing]]);
  expect((await sink('orders')).samples.map(({ at }) => at)).toEqual([1, 2, 10, 11].map(after));
});

test('N4: a sink whose topic cannot be read has no sample, and the others have', async () => {
  await sample(1);
  await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'other', sourceId: 'other' });
  await harness.dependencies.sourceLog.deleteTopic('source.1.shop', { signal });
  await sample(2);
  const { verdict, sources } = await report();
  expect(sources.find(({ sourceId }) => sourceId === 'shop')?.accepted).toBeUndefined();
  expect(verdict).toContain('not known now for shop/mail; shop/orders');
  expect((await sink('orders')).samples).toHaveLength(1);
});

test('N5: an hour has a sample of each sink, which is kept longer', async () => {
  for (let count = 0; count < 3; count += 1) {
    await send(1);
    await sample(60);
  }
  const { samples } = await sink('orders', 48 * hour);
  expect(samples.map(({ at, accepted }) => [at, accepted])).toEqual([
    [after(1), 1],
    [after(60), 1],
    [after(120), 2],
    [after(180), 3],
  ]);
});

test('N6: what is kept is bounded by blocks, however long it goes on and however the clock jumps', async () => {
  const blocks = async (step: 'minute' | 'hour'): Promise<readonly string[]> => {
    const found = await harness.dependencies.catalog.list({ collection: 'sample', prefix: `${step}/` }, { signal });
    return found.map(({ id }) => id);
  };
  for (let count = 0; count < 130; count += 1) {
    clock.advance(count % 10 === 9 ? 1000 * hour : hour);
    await sampler.round({ signal });
    expect((await blocks('minute')).length).toBeLessThanOrEqual(sampleSteps.minute.blocks);
    expect((await blocks('hour')).length).toBeLessThanOrEqual(sampleSteps.hour.blocks);
  }
  expect(await blocks('minute')).toHaveLength(sampleSteps.minute.blocks);
  clock.jump(-400 * hour);
  for (let count = 0; count < 90; count += 1) {
    clock.advance(hour / 2);
    await sampler.round({ signal });
  }
  expect((await blocks('minute')).length).toBeLessThanOrEqual(sampleSteps.minute.blocks);
});

test('N6: a clock that jumps ahead takes no sample away, and none that jumps back makes one lie before another', async () => {
  await send(1);
  await sample(3);
  clock.jump(1000 * hour);
  await sample(1);
  expect((await sink('orders', 90 * 24 * hour)).samples.at(-1)?.at).toBe(after(4) + 1000 * hour);
  clock.jump(-1000 * hour);
  await sample(30);
  expect((await sink('orders')).samples.map(({ at }) => at)).toEqual([1, 2, 3].map(after));
  // An hour later the clock that was ahead is not believed any more.
  await sample(35);
  const { samples, gaps } = await sink('orders');
  expect(samples.slice(0, 3).map(({ at }) => at)).toEqual([1, 2, 3].map(after));
  expect(samples.map(({ at }) => at)).toEqual(samples.map(({ at }) => at).sort((a, b) => a - b));
  expect(gaps).toEqual([{ from: after(4), to: samples[3]?.at }]);
  expect(samples[3]?.at).toBeGreaterThanOrEqual(after(64));
  expect((await report()).clockJumps).toEqual([
    { at: after(4) + 1000 * hour, byMs: 1000 * hour },
    { at: after(5), byMs: -1000 * hour },
  ]);
});

test('N7: who has lost the seat writes no sample', async () => {
  const { catalog } = harness.dependencies;
  const seat = new Seat({ catalog, clock, owner: 'former' });
  const former = new Sampler({
    ...harness.dependencies,
    samplingClock: clock,
    catalog: new FencedCatalog(catalog, seat),
  });
  clock.advance(minute);
  await expect(former.round({ signal })).rejects.toMatchObject({ code: 'seat.lost' });
  expect((await sink('orders')).samples).toEqual([]);
  expect(await seat.take('http://admin.test', { signal })).toBe(true);
  clock.advance(minute);
  await former.round({ signal });
  expect((await sink('orders')).samples.map(({ at }) => at)).toEqual([after(2)]);
});

test('N8: a sink that is gone stays in the report until its last sample is gone, by its age', async () => {
  await send(2);
  await sample(1);
  await deliver(stageAll);
  await deliver(importAll);
  await sample(1);
  const source = '/v1/branches/default/sources/shop';
  await harness.api.task('DELETE', `${source}/sinks/mail`);
  await sample(1);
  const { incarnation } = await sink('mail');
  await removeDocument(
    harness.dependencies.catalog,
    { collection: 'progress', id: progressId(incarnation) },
    { signal },
  );
  await sample(1);
  const reported = (await report(hour)).sources.flatMap(({ sinks }) => sinks);
  const gone = { isDeleted: true, at: after(3), numbers: { accepted: 2, imported: 2 }, gaps: [] };
  expect(reported.map(({ key }) => key.sinkId)).toEqual(['mail', 'orders']);
  expect(reported[0]).toMatchObject(gone);
  // No table store has made these imports.
  expect((await report(hour)).verdict).toMatch(/^What was imported is not proven for shop\/orders: /);
  await sample(60);
  expect((await report(hour)).sources.flatMap(({ sinks }) => sinks).map(({ key }) => key.sinkId)).toEqual(['orders']);
});

test('N9: what the table store does not witness, and what cannot be read, is not called well', async () => {
  await send(2);
  const { isWell: isQuietWell, verdict: quiet } = await report();
  expect([isQuietWell, quiet]).toEqual([true, expect.stringMatching(/4 in flight; nothing is missing\.$/)]);
  const { ledger } = harness.dependencies;
  const away: typeof ledger = Object.assign(Object.create(ledger) as typeof ledger, {
    readLedgers: () => Promise.reject(new MillraceError('table.unavailable', 'away')),
  });
  const unanswered = await report(hour, { ledger: away });
  expect([unanswered.isWell, unanswered.verdict]).toEqual([
    false,
    'What is in the tables is not known now for shop/mail; shop/orders, because the table store does not answer.',
  ]);
  const { incarnation } = await sink('mail');
  await deliver(stageAll);
  await importAll(harness.dependencies, incarnation);
  const lost = await report();
  expect([lost.isWell, lost.verdict]).toEqual([
    false,
    expect.stringMatching(/^What was imported is not proven for shop\/mail: /),
  ]);
  await putRaw(harness.dependencies.catalog, {
    collection: 'progress',
    id: progressId(incarnation),
    value: { anew: true },
  });
  const unread = await report();
  expect([unread.isWell, unread.verdict]).toEqual([
    false,
    '1 document of sinks cannot be read by this release: what became of their events is not known.',
  ]);
});

test('N1: a source has accepted what the log acknowledged since it exists, whatever is removed of it', async () => {
  await send(7);
  const { sourceLog } = harness.dependencies;
  const identity = (await sourceLog.describeTopic('source.1.shop', { signal }))?.identity ?? '';
  await deliver(stageAll);
  await sourceLog.trim({ topic: 'source.1.shop', identity, partition: 0 }, 5, { signal });
  expect((await report()).sources[0]?.accepted).toBe(7);
  expect((await report()).sources.map(({ sourceId }) => sourceId)).toEqual([parseSourceId('shop')]);
});
