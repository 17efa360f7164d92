import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { handOutUpTo } from '../../test/support/hand-out.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../core/ids.ts';
import { objectName } from '../core/object-name.ts';
import { sinkTopic, sourceTopic } from '../core/topic-name.ts';
import type { ApiDependencies } from '../api/dependencies.ts';

const never = { signal: new AbortController().signal };
const sources = '/v1/branches/default/sources';
/** The number that the restored catalog would hand out next. */
const taken = parseIncarnation(8);
const sourceId = parseSourceId('shop');
const key = { branchId: defaultBranch, sourceId, sinkId: parseSinkId('orders') };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', sources, { type: 'http', name: 'shop', sourceId: 'shop', sinks: [] });
  await handOutUpTo(harness.dependencies.catalog, taken - 1);
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
});

type Leave = (stores: ApiDependencies & Pick<AdminHarness, 'objects'>) => Promise<unknown>;

const leaving: readonly (readonly [string, Leave])[] = [
  ['a topic of its name', ({ sinkLog }) => sinkLog.createTopic({ name: sinkTopic(key, taken), partitions: 1 }, never)],
  [
    'a topic of another sink',
    ({ sinkLog }) => {
      const name = sinkTopic({ ...key, sinkId: parseSinkId('other') }, taken);
      return sinkLog.createTopic({ name, partitions: 1 }, never);
    },
  ],
  [
    'a topic of a source',
    ({ sourceLog }) => sourceLog.createTopic({ name: sourceTopic(key, taken), partitions: 1 }, never),
  ],
  ['a ledger row', ({ ledger }) => ledger.createLedger(taken, never)],
  [
    'an object in staging',
    ({ objects }) => {
      const name = objectName({ incarnation: taken, partition: 0, stamp: 1, unique: 'x', part: 'rows' });
      return objects.put(name, { kind: 'bytes', bytes: Buffer.from('x') }, never);
    },
  ],
];

it.each(leaving)(
  'D3: a number under which a later state of the catalog left %s is given to no sink',
  async (_, leave) => {
    await leave({ ...harness.dependencies, objects: harness.objects });
    const mapping = { columns: [{ type: 'uuid', name: 'id' }] };
    const body = { name: 'orders', sinkId: 'orders', table: { tableId: 'in.c-shop.orders', mapping } };
    await harness.api.task('POST', `${sources}/shop/sinks`, body);
    const topics = await harness.dependencies.sinkLog.listTopics('sink.', never);
    expect(topics).toContain(sinkTopic(key, parseIncarnation(taken + 1)));
  },
);

it('D3: a source that is made again takes no topic that a later state of the catalog left', async () => {
  const { sourceLog } = harness.dependencies;
  const left = await sourceLog.createTopic({ name: sourceTopic(key, taken), partitions: 1 }, never);
  const record = { value: Buffer.from('{}'), headers: [], timestamp: 1 };
  await sourceLog.append({ topic: left.name, partition: 0 }, [record], never);
  await harness.api.task('DELETE', `${sources}/shop`);
  await harness.api.task('POST', sources, { type: 'http', name: 'shop', sourceId: 'shop', sinks: [] });
  const topics = await sourceLog.listTopics(sourceTopic(key), never);
  expect(topics).toContain(sourceTopic(key, taken + 1));
});
