import { expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';

const S = '/v1/branches/default/sources';
const orders = `${S}/shop/sinks/orders`;
const waiting = { signal: new AbortController().signal };
const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
const source = { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] };

type Loss = 'deleted' | 'made anew';

/** A source with a sink, whose topic somebody else has deleted, or made anew. */
async function startWithout(loss: Loss): Promise<AdminHarness> {
  const harness = await startAdmin();
  const { sourceLog } = harness.dependencies;
  await harness.api.task('POST', S, source);
  await sourceLog.deleteTopic('source.1.shop', waiting);
  if (loss === 'made anew') await sourceLog.createTopic({ name: 'source.1.shop', partitions: 1 }, waiting);
  return harness;
}

test.each([
  ['made anew', 'sink', orders],
  ['deleted', 'sink', orders],
  ['made anew', 'source', `${S}/shop`],
  ['deleted', 'source', `${S}/shop`],
] as const)('D6: a source topic that was %s does not keep its %s from being deleted', async (loss, _, path) => {
  await using harness = await startWithout(loss);
  await harness.api.task('DELETE', path);
});

test.each(['made anew', 'deleted'] as const)(
  'D6: a source whose topic was %s has sinks that work once it is deleted and created again',
  async (loss) => {
    await using harness = await startWithout(loss);
    await harness.api.task('DELETE', `${S}/shop`);
    await harness.api.task('POST', S, source);
    await harness.api.task('PUT', `${orders}/disable`);
  },
);

test('D2: a sink whose source topic was made anew is not disabled: that would keep ends of another topic', async () => {
  await using harness = await startWithout('made anew');
  await expect(harness.api.task('PUT', `${orders}/disable`)).rejects.toThrow('Delete the sink, or the source');
});
