import { tableType } from '../../core/sink.ts';

const at = '2026-11-21T18:00:00.000Z';
const by = { type: 'user', tokenId: '1', tokenDesc: 'root token' };
const created = { at, by };
const ids = { projectId: 1, branchId: 1, sourceId: 'my-source' };
const secret = 'ywZha9NGz97yTJa2GtoxqjuzQH5FmpYVUAzEVGws1hHluRao';
const api = 'http://127.0.0.1:8000';
const tableId = 'in.c-shop.orders';
const taskId = `api.create.source/1/my-source/${at}_a1B2c`;

const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'path', name: 'total', path: 'order.total', defaultValue: '' },
];
const sink = { name: 'My Sink', table: { tableId, mapping: { columns } } };
const none = { dead: 0, filtered: 0, holes: 0, none: 0, givenUp: 0, difference: 0 };
const numbers = { accepted: 0, imported: 0, ...none, staged: 0, inFlight: 0 };

/** By the name of the schema, what a body or an answer of it looks like: one story, which a test plays. */
export const examples: Readonly<Record<string, object>> = {
  CreateSourceBody: { type: 'http', name: 'My Source', sinks: [sink] },
  CreateSinkBody: { ...sink, name: 'My Other Sink' },
  UpdateSourceBody: { description: 'Orders of the shop.', changeDescription: 'Say what it is.' },
  UpdateSinkBody: { description: 'Every order with its total.', changeDescription: 'Say what it is.' },
  CreateTableBody: { name: 'customers', columns: [{ name: 'id' }, { name: 'name' }], primaryKeysNames: ['id'] },
  RenameTableBody: { name: 'orders_2025' },
  TableDependents: {
    sinks: [{ branchId: 1, sourceId: 'my-source', sinkId: 'my-sink', state: 'active', columns: ['id', 'total'] }],
    waiting: [],
    tokens: [{ id: '2', description: '[_internal] Stream Sink my-source/my-sink' }],
  },
  SettingsBody: {
    settings: [{ key: 'storage.level.staging.upload.trigger.interval', value: '5s' }],
    changeDescription: 'Faster.',
  },
  Task: {
    taskId,
    type: 'api.create.source',
    url: `${api}/v1/tasks/${taskId}`,
    status: 'success',
    isFinished: true,
    createdAt: at,
    finishedAt: '2026-11-21T18:00:00.125Z',
    duration: 125,
    result: 'Source has been created successfully.',
    outputs: { url: `${api}/v1/branches/1/sources/my-source`, ...ids },
  },
  Source: {
    ...ids,
    type: 'http',
    name: 'My Source',
    description: '',
    partitions: 1,
    http: { url: `http://127.0.0.1:7000/stream/1/my-source/${secret}` },
    version: { number: 1, hash: '99c198e6fa237663', description: 'New source.', ...created },
    created,
  },
  Sink: {
    ...ids,
    sinkId: 'my-sink',
    type: 'table',
    name: 'My Sink',
    description: '',
    table: {
      type: tableType,
      tableId,
      mapping: {
        columns: [
          { type: 'uuid', name: 'id' },
          { type: 'path', name: 'total', path: 'order.total', rawString: false, defaultValue: '' },
        ],
      },
    },
    version: { number: 1, hash: 'b4492903f295daae', description: 'New sink.', ...created },
    created,
  },
  SinkProgress: {
    ...ids,
    sinkId: 'my-sink',
    incarnation: 2,
    mappingVersion: 1,
    takesEvents: true,
    delivered: true,
    totals: numbers,
    differences: { document: 0, ledgerRows: 0, ledgerDead: 0, log: 0 },
    partitions: [{ partition: 0, ...numbers, position: 0, end: 0 }],
    staged: { slices: 0, rows: 0, dead: 0, bytes: 0 },
    flushRequested: false,
    errors: [],
  },
  TestResult: {
    ...ids,
    tables: [
      {
        sinkId: 'my-sink',
        tableId,
        rows: [
          {
            columns: [
              { name: 'id', value: '01a1ff62-30f3-75f6-b773-46f3f5f8bddd' },
              { name: 'total', value: '12.5' },
            ],
          },
        ],
      },
    ],
  },
  Table: {
    uri: `${api}/v2/storage/tables/${tableId}`,
    id: tableId,
    name: 'orders',
    displayName: 'orders',
    primaryKey: [],
    columns: ['id', 'total'],
    rowsCount: 0,
    bucket: { id: 'in.c-shop', name: 'c-shop', stage: 'in' },
  },
};
