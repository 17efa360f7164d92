import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { importAll, stageAll } from '../../test/support/deliver.ts';
import { Faults } from '../../test/support/faults/faults.ts';
import { decodeOutcome, encodeOutcome, type Outcome } from '../core/outcome.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import { statusId } from '../documents/document-id.ts';
import { progressDocuments } from '../documents/progress-document.ts';

const S = '/v1/branches/default/sources/shop';
const K = `${S}/sinks/orders`;
const signal = new AbortController().signal;
const faults = new Faults();

interface Why {
  readonly verdict: string;
  readonly delivered: boolean | null;
  readonly waiting: number | null;
  readonly findings: readonly Readonly<Record<string, unknown>>[];
}

let harness: AdminHarness;
let progress: SinkProgress;

beforeAll(async () => {
  harness = await startAdmin((dependencies) => ({
    ...dependencies,
    sourceLog: faults.before('sourceLog', dependencies.sourceLog),
    sinkLog: faults.before('sinkLog', dependencies.sinkLog),
  }));
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await harness.api.task('POST', '/v1/branches/default/sources', {
    type: 'http',
    name: 'shop',
    sinks: [{ name: 'orders', table }],
  });
  const [found] = await harness.dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
  progress = progressDocuments.parse(found?.value);
});

afterAll(() => harness[Symbol.asyncDispose]());

const why = (): Promise<Why> => harness.api.call<Why>('GET', `${K}/why`);
const kinds = ({ findings }: Why): readonly unknown[] => findings.map(({ kind }) => kind);

async function accept(count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

async function map(to: number): Promise<void> {
  const outcome: Outcome = { kind: 'filtered', from: -1, to, mappingVersion: 1 };
  const record = { value: encodeOutcome(outcome), headers: [], timestamp: 1 };
  expect(decodeOutcome(record.value)).toEqual(outcome);
  await harness.dependencies.sinkLog.append({ topic: progress.topics.sink, partition: 0 }, [record], { signal });
}

test('W1: nothing waits, and it says so', async () => {
  expect(await why()).toMatchObject({ delivered: true, waiting: 0, findings: [], sourceId: 'shop', sinkId: 'orders' });
});

test('W2: what is accepted waits to be mapped, as far as the topic of the sink has no outcome of it', async () => {
  await accept(5);
  expect(await why()).toMatchObject({ delivered: false, waiting: 5, findings: [{ kind: 'unmapped', events: 5 }] });
  await map(2);
  expect((await why()).findings).toMatchObject([
    { kind: 'unmapped', events: 2, partitions: [0] },
    { kind: 'open', events: 3 },
  ]);
});

test('W2: a log that does not answer keeps nobody waiting, and nothing is made up', async () => {
  faults.away('sinkLog');
  const [only, ...others] = (await why()).findings;
  expect([only, others]).toMatchObject([{ kind: 'open' }, []]);
  expect(only).not.toHaveProperty('events');
  faults.back('sinkLog');
  faults.away('sourceLog');
  expect(await why()).toMatchObject({ delivered: null, waiting: null, findings: [{ kind: 'unknown' }] });
  faults.back('sourceLog');
});

test('W3, D6: what is staged waits for its import, and a role that fails is named first, with what to do', async () => {
  await stageAll(harness.dependencies, progress.incarnation);
  expect(kinds(await why())).toEqual(['staged']);
  const { clock, catalog } = harness.dependencies;
  const iso = (ms: number): string => new Date(clock.now() + ms).toISOString();
  const status = {
    incarnation: progress.incarnation,
    role: 'import',
    code: 'sink.tokenMissing',
    message: 'the token is gone',
    since: iso(-5000),
    lastTryAt: iso(-1000),
    nextTryAt: iso(60_000),
    attempts: 3,
  };
  const id = statusId(progress.incarnation, 'import', 'member');
  await catalog.compareAndSet({ collection: 'sink-status', id, expected: undefined, value: status }, { signal });
  const failing = await why();
  expect(kinds(failing)).toEqual(['failing', 'staged']);
  expect(failing.findings[0]).toMatchObject({
    role: 'import',
    code: 'sink.tokenMissing',
    attempts: 3,
    nextAt: status.nextTryAt,
    action: expect.stringMatching(/^Disable and enable the sink/) as string,
  });
  const { revision = 0 } = (await catalog.get('sink-status', id, { signal })) ?? {};
  await catalog.remove('sink-status', id, revision, { signal });
  await importAll(harness.dependencies, progress.incarnation);
  // The document alone has gone on: no table store imported anything.
  expect(await why()).toMatchObject({ delivered: true, waiting: 0, findings: [{ kind: 'unknown' }] });
});

test('W1: a disabled sink says since when it takes nothing new, and waits for none of that', async () => {
  await stageAll(harness.dependencies, progress.incarnation);
  await importAll(harness.dependencies, progress.incarnation);
  await harness.api.task('PUT', `${K}/disable`);
  await accept(1);
  expect(await why()).toMatchObject({
    delivered: true,
    waiting: 0,
    findings: [{ kind: 'unknown' }, { kind: 'closed' }],
  });
});
