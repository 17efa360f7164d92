import { expect, test } from 'vitest';
import { startAdmin } from '../../test/support/admin-harness.ts';
import { stageAll } from '../../test/support/deliver.ts';
import { withMethod } from '../../test/support/with-method.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import type { PartitionRange } from '../ports/event-log.ts';

const K = '/v1/branches/default/sources/shop/sinks/orders';
const signal = new AbortController().signal;
const at = { topic: 'source.1.shop', partition: 0 };
const record = { value: Buffer.from('{}'), headers: [], timestamp: 1 };

test('D2, D6: ends are read anew when the sink went past them meanwhile, and nothing is lost between', async () => {
  let meanwhile: () => Promise<void> = () => Promise.resolve();
  await using harness = await startAdmin((dependencies) => {
    const { sourceLog } = dependencies;
    const ranges = async (...given: Parameters<typeof sourceLog.ranges>): Promise<readonly PartitionRange[]> => {
      const found = await sourceLog.ranges(...given);
      const once = meanwhile;
      meanwhile = () => Promise.resolve();
      await once();
      return found;
    };
    return { ...dependencies, sourceLog: withMethod(sourceLog, 'ranges', ranges) };
  });
  const { api } = harness;
  const { catalog, sourceLog } = harness.dependencies;
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  const sinks = [{ name: 'orders', table }];
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'shop', sinks });
  const progress = async () => {
    const [found] = await catalog.list({ collection: 'progress', prefix: '' }, { signal });
    return progressDocuments.parse(found?.value);
  };
  const { incarnation } = await progress();
  meanwhile = async () => {
    await sourceLog.append(at, [record, record, record], { signal });
    await stageAll(harness.dependencies, incarnation);
  };
  await api.task('PUT', `${K}/disable`);
  const { entries } = await progress();
  expect(entries[0]).toMatchObject({ source: 2, intervals: [{ start: 0, end: 3 }] });
});
