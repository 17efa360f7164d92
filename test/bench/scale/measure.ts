/** Measures what the servers of a cluster take for the work that grows with sinks, for `costs.ts`: each on a server of this machine. */
import { importRequest } from '../../contract/import-request.ts';
import { openPostgresCatalog } from '../../../src/adapters/postgres/catalog.ts';
import { openPostgresTableStore } from '../../../src/adapters/postgres/table-store.ts';
import { Secret } from '../../../src/config/secrets.ts';
import { parseIncarnation } from '../../../src/core/ids.ts';
import { parseTableId } from '../../../src/core/table-id.ts';
import { Api } from '../../support/api.ts';
import { openCluster } from '../../support/cluster.ts';
import { rootToken } from '../../support/installation.ts';

const waiting = { signal: AbortSignal.timeout(600_000) };
const path = '/v1/branches/default/sources';

/** Works of a kind a second, so many side by side. */
async function perSecond(count: number, sideBySide: number, work: (at: number) => Promise<unknown>): Promise<number> {
  let next = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      while (next < count) {
        next += 1;
        await work(next - 1);
      }
    }),
  );
  return (count * 1000) / (performance.now() - began);
}

await using cluster = await openCluster();
const { api } = await (async () => {
  const process = await cluster.start('admin,ingest');
  return { api: new Api(process.admin, rootToken) };
})();
const columns = [{ type: 'uuid', name: 'id' }];
const makeSource = (at: number): Promise<unknown> =>
  api.task('POST', path, { type: 'http', name: `s${at}`, sourceId: `s${at}`, partitions: 1 });
const makeSink = (at: number): Promise<unknown> =>
  api.task('POST', `${path}/s${at % 20}/sinks`, {
    type: 'table',
    name: `k${at}`,
    table: { type: 'keboola', tableId: `in.c-s${at % 20}.t${at}`, mapping: { columns } },
  });
const sources = await perSecond(20, 8, makeSource);
const sinks = await perSecond(200, 8, makeSink);

const server = { url: new Secret(cluster.secrets['CATALOG_URL'] ?? '') };
await using catalog = await openPostgresCatalog({ ...server, schema: 'scale_bench' }, waiting);
// As long as the progress document of a sink with one partition and a staged slice.
const value = { text: 'x'.repeat(1000) };
const revisions = new Map<number, number>();
const writeDocument = async (at: number): Promise<void> => {
  const document = at % 100;
  const id = String(document);
  const write = { collection: 'progress', id, expected: revisions.get(document), value } as const;
  const result = await catalog.compareAndSet(write, waiting);
  if (result.kind === 'written') revisions.set(document, result.revision);
};
await perSecond(100, 1, writeDocument);
// One at a time: a process gathers its own writes into one transaction, and transactions of a collection wait for each other.
const catalogWrites = await perSecond(1000, 1, writeDocument);
const readAll = (): Promise<unknown> =>
  catalog.changes({ collection: 'progress', token: undefined, maxWaitMs: 0 }, waiting);
const catalogReads = 100 * (await perSecond(400, 8, readAll));

const tables = { url: new Secret(cluster.secrets['TABLES_URL'] ?? ''), tempDir: '/tmp' };
await using store = await openPostgresTableStore({ ...tables, maxConnections: 8 }, waiting);
for (let at = 0; at < 8; at += 1) {
  await store.createTable(parseTableId(`in.c-scale.t${at}`), ['a'], waiting);
  await store.createLedger(parseIncarnation(900_000 + at), waiting);
}
const row = [['one row']];
const numbers = new Map<number, number>();
const importRow = async (at: number): Promise<void> => {
  const lane = at % 8;
  const number = (numbers.get(lane) ?? 0) + 1;
  numbers.set(lane, number);
  const of = { incarnation: parseIncarnation(900_000 + lane), tableId: parseTableId(`in.c-scale.t${lane}`) };
  await store.import({ ...importRequest(of, number, row), columns: ['a'] }, waiting);
};
// One after the other within a sink: lanes of their own.
const lanes = await Promise.all(Array.from({ length: 8 }, (_, lane) => perSecond(200, 1, () => importRow(lane))));
const imports = lanes.reduce((sum, rate) => sum + rate, 0);
console.log(JSON.stringify({ sources, sinks, catalogWrites, catalogReads, imports }));
