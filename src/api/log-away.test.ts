import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText } from '../../test/support/matching.ts';
import { importAll, stageAll } from '../../test/support/deliver.ts';
import { Faults } from '../../test/support/faults/faults.ts';
import { progressDocuments } from '../documents/progress-document.ts';

const K = '/v1/branches/default/sources/shop/sinks/orders';
const signal = new AbortController().signal;
const faults = new Faults();

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin((dependencies) => ({
    ...dependencies,
    sourceLog: faults.before('sourceLog', dependencies.sourceLog),
  }));
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await harness.api.task('POST', '/v1/branches/default/sources', {
    type: 'http',
    name: 'shop',
    sinks: [{ name: 'orders', table }],
  });
  const { catalog, sourceLog } = harness.dependencies;
  const records = Array.from({ length: 3 }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  const at = { topic: 'source.1.shop', partition: 0 };
  await sourceLog.append(at, records, { signal });
  const [found] = await catalog.list({ collection: 'progress', prefix: '' }, { signal });
  const { incarnation } = progressDocuments.parse(found?.value);
  await stageAll(harness.dependencies, incarnation);
  await importAll(harness.dependencies, incarnation);
  await sourceLog.append(at, records.slice(1), { signal });
});

afterAll(() => harness[Symbol.asyncDispose]());

const known = { imported: 3, staged: 0, dead: 0, holes: 0, difference: 0 };

function unknownEnds(reason: unknown) {
  return {
    delivered: null,
    endsUnknown: reason,
    takesEvents: true,
    totals: { ...known, accepted: null, inFlight: null },
    partitions: [{ ...known, partition: 0, position: 3, end: null, accepted: null, inFlight: null }],
    lastImport: { number: 1, rows: 3 },
  };
}

test('D4: the progress page answers while the log is away: what the document knows, and null for what needs the ends', async () => {
  faults.away('sourceLog');
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject(unknownEnds(anyText));
  faults.back('sourceLog');
  const answer = await harness.api.call('GET', `${K}/progress`);
  expect(answer).toMatchObject({ delivered: false, totals: { ...known, accepted: 5, inFlight: 2 } });
  expect(answer).not.toHaveProperty('endsUnknown');
});

test('D4: a log that does not answer keeps nobody who looks at the progress waiting', async () => {
  faults.add({ port: 'sourceLog', method: 'ranges', kind: 'held' });
  const answer = await harness.api.call('GET', `${K}/progress`);
  expect(answer).toMatchObject(unknownEnds('The log has not answered within 1.5 seconds.'));
  await faults.deliver();
});
