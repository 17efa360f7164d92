import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { logsRequest } from '../../../test/support/otlp-messages.ts';
import { namedValue, openSmallRegistry, type SmallRegistry } from '../../../test/support/small-registry.ts';
import { openSchemaRegistry } from '../../adapters/schema-registry/schema-registry.ts';
import type { LogRecord, RecordBatch } from '../../ports/event-log.ts';
import type { SchemaRegistry } from '../../ports/schema-registry.ts';
import { PartitionDecoding } from './partition-decoding.ts';
import { SchemaCache } from './schema-cache.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

const never = { signal: new AbortController().signal };
let server: SmallRegistry;
let registry: SchemaRegistry;
let clock: FakeClock;
let decoding: PartitionDecoding;

beforeEach(async () => {
  server = await openSmallRegistry();
  server.schemas.set(7, { schema: '"string"' });
  registry = openSchemaRegistry({ url: server.url });
  clock = new FakeClock();
  decoding = new PartitionDecoding(new SchemaCache({ registry, clock }));
});

afterEach(async () => {
  await registry[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

function batchOf(...values: readonly (Uint8Array | Partial<LogRecord>)[]): RecordBatch {
  const records = values.map((value, offset): LogRecord => {
    const given = value instanceof Uint8Array ? { value } : value;
    return { ...placedRecord({ value: new Uint8Array(0), headers: [], timestamp: 1, ...given }, offset), ...given };
  });
  return { topic: 'shop', identity: 'a', partition: 0, records, first: 0, next: records.length, missing: 'none' };
}

const avroText = (schemaId: number, text: string): Buffer =>
  namedValue(schemaId, Buffer.concat([Buffer.of(text.length * 2), Buffer.from(text)]));

/** What each record becomes: JSON text, `as it is`, or the problem. */
function read(batch: RecordBatch): readonly string[] | undefined {
  const decode = decoding.of(batch, 'avro', 'http');
  if (decode === undefined) return undefined;
  return batch.records.map((record) => {
    const decoded = decode(record);
    if (decoded === undefined) return 'as it is';
    if (decoded.kind === 'packed') return `${decoded.events.length} events`;
    return decoded.kind === 'json' ? Buffer.from(decoded.text).toString() : decoded.problem;
  });
}

async function learnAndRead(batch: RecordBatch): Promise<readonly string[] | undefined> {
  expect(read(batch)).toBeUndefined();
  await decoding.learn('avro', never);
  return read(batch);
}

describe('records of a source that asks for Avro', () => {
  it('are decoded when their schemas have been got, each once', async () => {
    expect(await learnAndRead(batchOf(avroText(7, 'a'), avroText(7, 'b')))).toEqual(['"a"', '"b"']);
    expect(read(batchOf(avroText(7, 'c')))).toEqual(['"c"']);
    expect(server.asked).toEqual([7]);
  });

  it('are taken as they are when they came through ingest, and without a value are null', () => {
    const value = Buffer.from('{}');
    const ingested = { value, headers: ['a', 'b', 'Millrace-Id', '0190-x'] };
    expect(read(batchOf(ingested, new Uint8Array(0)))).toEqual(['as it is', 'null']);
  });

  it('D2: name what is wrong when they cannot be decoded, and hold up nothing', async () => {
    server.schemas.set(8, { schema: '{', schemaType: 'AVRO' }).set(9, { schema: '{}', schemaType: 'JSON' });
    const wrong = [Buffer.from('{}'), Buffer.of(0, 1), avroText(1, 'a'), avroText(8, 'a'), avroText(9, 'a')];
    const found = await learnAndRead(batchOf(...wrong, namedValue(7, Buffer.of(9)), avroText(7, 'good')));
    expect(found).toEqual([
      'the value names no schema: its first byte is 0x7b instead of 0x00',
      'the value names no schema: it has only 2 bytes',
      'schema 1: the registry does not know it',
      expect.stringMatching(/^schema 8: .*JSON/),
      'schema 9: it is JSON, and the source asks for avro',
      'schema 7: a length is negative',
      '"good"',
    ]);
  });

  it('D6: wait for a registry that is away, and for the schemas alone that are not known', async () => {
    await learnAndRead(batchOf(avroText(7, 'a')));
    server.isAway = true;
    expect(read(batchOf(avroText(7, 'a')))).toEqual(['"a"']);
    expect(read(batchOf(avroText(7, 'a'), avroText(8, 'b')))).toBeUndefined();
    await expect(decoding.learn('avro', never)).rejects.toMatchObject({ code: 'schemas.unavailable' });
    server.schemas.set(8, { schema: '"string"' });
    server.isAway = false;
    await decoding.learn('avro', never);
    expect(read(batchOf(avroText(7, 'a'), avroText(8, 'b')))).toEqual(['"a"', '"b"']);
  });

  it('ask again after a minute for an id that was unknown', async () => {
    expect(await learnAndRead(batchOf(avroText(8, 'a')))).toEqual(['schema 8: the registry does not know it']);
    server.schemas.set(8, { schema: '"string"' });
    expect(read(batchOf(avroText(8, 'a')))).toEqual(['schema 8: the registry does not know it']);
    clock.advance(61_000);
    expect(await learnAndRead(batchOf(avroText(8, 'a')))).toEqual(['"a"']);
  });

  it('D8: a batch that names more schemas than are kept is decoded all the same', async () => {
    const ids = Array.from({ length: 1500 }, (_, index) => index + 100);
    for (const id of ids) server.schemas.set(id, { schema: '"string"' });
    const found = await learnAndRead(batchOf(...ids.map((id) => avroText(id, 'a'))));
    expect(new Set(found)).toEqual(new Set(['"a"']));
    expect(server.asked).toHaveLength(1500);
    expect(read(batchOf(avroText(100, 'a')))).toBeUndefined();
  });

  it('say that the installation has no registry', async () => {
    decoding = new PartitionDecoding(new SchemaCache({ registry: undefined, clock }));
    expect(read(batchOf(avroText(7, 'a')))).toBeUndefined();
    await expect(decoding.learn('avro', never)).rejects.toMatchObject({ code: 'schemas.missing' });
  });

  it('are taken as they are again, and wait for nothing, when the source says raw', async () => {
    expect(read(batchOf(avroText(7, 'a')))).toBeUndefined();
    await decoding.learn('raw', never);
    expect(server.asked).toEqual([]);
    const decode = decoding.of(batchOf(avroText(7, 'a')), 'raw', 'http');
    expect(decode?.(batchOf(avroText(7, 'a')).records[0]!)).toBeUndefined();
  });
});

describe('records of a source of OTLP', () => {
  const decoded = (record: Partial<LogRecord>): unknown => {
    const batch = batchOf(record);
    return decoding.of(batch, 'raw', 'otlp')?.(batch.records[0]!);
  };

  it('hold requests, unless they came through ingest', () => {
    const value = logsRequest(3);
    const headers = ['millrace-signal', 'logs'];
    expect(decoded({ value, headers })).toMatchObject({ kind: 'packed', events: [{}, {}, {}] });
    expect(decoded({ value, headers: [...headers, 'millrace-id', '0190-x'] })).toBeUndefined();
  });

  it('are decoded by their schemas when the source asks for that', async () => {
    const batch = batchOf(avroText(7, 'a'));
    expect(decoding.of(batch, 'avro', 'otlp')).toBeUndefined();
    await decoding.learn('avro', never);
    expect(decoding.of(batch, 'avro', 'otlp')?.(batch.records[0]!)).toMatchObject({ kind: 'json' });
  });
});
