import { sinks, table, withTable, type Refusal } from './refusal.ts';

/** What is wrong with a sink that is created, but for its columns. */
export const sinkRefusals: readonly Refusal[] = [
  {
    rule: 'a nested missing field is named with its parent',
    at: `POST ${sinks}`,
    body: { name: 'x', table: { mapping: table.mapping } },
    status: 400,
    error: 'missingField',
    message: '"tableId" is missing from body.table.',
  },
  {
    rule: 'a sink that exists',
    at: `POST ${sinks}`,
    body: { name: 'orders', table },
    status: 409,
    error: 'sinkAlreadyExists',
    message: 'Sink "orders" already exists in the source.',
  },
  {
    rule: 'no table',
    at: `POST ${sinks}`,
    body: { name: 'x' },
    status: 400,
    error: 'badRequest',
    message: '"table" must be configured for the "table" sink type.',
  },
  {
    rule: 'a beginning that is no time',
    at: `POST ${sinks}`,
    body: { name: 'x', table, backfill: 'yesterday' },
    status: 400,
    error: 'badRequest',
    message:
      'Invalid "backfill" value "yesterday": must be "latest", "earliest" or a time such as "2026-11-01T00:00", which is UTC unless it says "+01:00" or the like.',
  },
  {
    rule: 'a table id of two parts',
    at: `POST ${sinks}`,
    body: withTable({ tableId: 'a.b' }),
    status: 400,
    error: 'badRequest',
    message:
      'Invalid "tableId" value "a.b": invalid table ID "a.b": unexpected number of fragments, must be "stage.bucket.table".',
  },
  {
    rule: 'a stage that there is not',
    at: `POST ${sinks}`,
    body: withTable({ tableId: 'a.b.c' }),
    status: 400,
    error: 'badRequest',
    message: /unexpected stage "a"/,
  },
  {
    rule: 'the bucket of dead letters',
    at: `POST ${sinks}`,
    body: withTable({ tableId: 'sys.c-millrace.dead_letters' }),
    status: 400,
    error: 'badRequest',
    message: /kept for dead letters/,
  },
  {
    rule: 'the bucket of dead letters in other letter case, which stores do not tell apart',
    at: `POST ${sinks}`,
    body: withTable({ tableId: 'sys.C-Millrace.orders' }),
    status: 400,
    error: 'badRequest',
    message: /kept for dead letters/,
  },
];
