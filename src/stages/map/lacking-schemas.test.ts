import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, never, source, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { namedValue, openSmallRegistry, type SmallRegistry } from '../../../test/support/small-registry.ts';
import { openSchemaRegistry } from '../../adapters/schema-registry/schema-registry.ts';
import { decodeOutcome } from '../../core/outcome.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import { kafkaValueFormatKey } from '../../core/settings/millrace-settings.ts';
import type { Source } from '../../core/source.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import type { IdentifiedPartition, NewRecord, RecordBatch } from '../../ports/event-log.ts';
import type { SchemaRegistry } from '../../ports/schema-registry.ts';
import { StatusBoard } from '../status/status-board.ts';
import { AppendRoom } from './append-room.ts';
import { MappingCache } from './mapping-cache.ts';
import { PartitionMapper } from './partition-mapper.ts';
import { SchemaCache } from './schema-cache.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { identified } from '../../../test/support/identified.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

let at: IdentifiedPartition;
/** A record `{"at": …}`, of which the sinks of the world make a row. */
const schema = JSON.stringify({ type: 'record', name: 'Event', fields: [{ name: 'at', type: 'string' }] });

let world: DeliveryWorld;
let server: SmallRegistry;
let registry: SchemaRegistry;
let sinks: readonly WorldSink[];
let mapper: PartitionMapper;
let format: string;
let told: string[];
/** The source as the catalog has it, and as the mapper knows it. */
let [stored, known]: readonly (Source | undefined)[] = [];
/** How often the catalog was asked for it, and when it has it. */
let [asked, comesAt] = [0, 1];
/** So late that each asking is another sink's turn. */
let now = 0;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  at = await identified(world.ports.sourceLog, { topic: source, partition: 0 });
  server = await openSmallRegistry();
  registry = openSchemaRegistry({ url: server.url });
  sinks = [await world.addSink('first'), await world.addSink('second')];
  format = 'avro';
  told = [];
  [stored, known] = [{ type: 'http' } as Source, undefined];
  [asked, comesAt] = [0, 1];
  const { clock, ports } = world;
  const observer = {
    sinkFailed: ({ code, attempts }: SinkStatus) => void told.push(`${code} ${attempts}`),
    sinkHealed: ({ code }: SinkStatus) => void told.push(`healed ${code}`),
  };
  mapper = new PartitionMapper(at, {
    ...ports,
    schemas: new SchemaCache({ registry, clock }),
    configuration: {
      settingsOf: () => effectiveSettings({ [kafkaValueFormatKey]: format }),
      sourceOf: () => known,
      learnSource: () => {
        asked += 1;
        if (asked === comesAt) known = stored;
        return Promise.resolve();
      },
    },
    mappings: new MappingCache(ports.catalog, createTemplates()),
    status: new StatusBoard({ catalog: ports.catalog, clock, role: 'map', member: 'one', observer }),
    observer: { outcomesAppended: () => undefined },
    maxAppendBytes: 8 * 1024 * 1024,
    lines: new LineWriter(),
    room: new AppendRoom(32 * 1024 * 1024),
    clock,
    retry: new RetryPacing({ firstMs: 200, capMs: 30_000 }, () => 0.5),
    wake: () => undefined,
    signal: never.signal,
  });
});

afterEach(async () => {
  await mapper.ended();
  await registry[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
  await world[Symbol.asyncDispose]();
});

const avro = (schemaId: number, text: string): Buffer =>
  namedValue(schemaId, Buffer.concat([Buffer.of(text.length * 2), Buffer.from(text)]));

/** The records in the source's topic, as the batch that has them all. */
async function produce(...values: readonly Uint8Array[]): Promise<RecordBatch> {
  const records = values.map((value): NewRecord => ({ value, headers: [], timestamp: 1 }));
  const first = await world.ports.sourceLog.append(at, records, never);
  const read = records.map((record, index) => placedRecord(record, first + index));
  return { ...at, records: read, first: 0, next: first + records.length, missing: 'lost' };
}

/** Lets the mapper read the batch whenever it wants to, until all of its sinks have passed it. */
async function mapAll(batch: RecordBatch): Promise<void> {
  await world.until(async () => {
    await round(batch);
    const turn = mapper.turn((now += 10_000));
    return turn?.offset === batch.next && mapper.lowest === batch.next;
  });
}

async function round(batch: RecordBatch): Promise<void> {
  const turn = mapper.turn((now += 10_000));
  if (turn !== undefined && turn.offset < batch.next) await mapper.process(turn.offset, batch);
  await mapper.settled();
  mapper.retryDue(world.clock.monotonic());
}

/** The last outcome of a sink. */
async function lastOutcome({ topic }: WorldSink): Promise<string> {
  const last = await world.ports.sinkLog.lastRecord({ topic, partition: 0 }, never);
  if (last === undefined) return 'none';
  const outcome = decodeOutcome(last.value);
  return 'line' in outcome ? `${outcome.kind} ${outcome.to} ${Buffer.from(outcome.line).toString()}` : outcome.kind;
}

async function start(): Promise<void> {
  mapper.configure(await Promise.all(sinks.map((sink) => world.progress(sink))));
}

it('A53: a partition asks for its source before it maps, should its sinks be there first', async () => {
  format = 'raw';
  [stored, comesAt] = [{ type: 'otlp' } as Source, 5];
  await start();
  await mapAll(await produce(Buffer.from('{"resourceLogs":[{"scopeLogs":[{"logRecords":[{},{}]}]}]}')));
  for (const sink of sinks) expect(await lastOutcome(sink)).toBe('packed');
});

describe('a partition whose records name schemas', () => {
  it('decodes each record once for all sinks; the dead letter of a broken one has its bytes', async () => {
    server.schemas.set(7, { schema });
    await start();
    const broken = Buffer.from('broken');
    const batch = await produce(avro(7, 'a'), broken);
    await mapAll(batch);
    for (const sink of sinks) {
      const outcome = await lastOutcome(sink);
      expect(outcome).toMatch(/^dead 1 .*undecodable/);
      expect(outcome).toContain(broken.toString('base64'));
    }
    await mapAll(await produce(avro(7, 'b')));
    for (const sink of sinks) expect(await lastOutcome(sink)).toMatch(/^row 2 .*b/);
    expect(server.asked).toEqual([7]);
    expect(told).toEqual([]);
  });

  it('D6: its sinks say that the registry is away, try less and less often, and go on by themselves', async () => {
    server.isAway = true;
    server.schemas.set(7, { schema });
    await start();
    const batch = await produce(avro(7, 'a'));
    await world.until(async () => {
      await round(batch);
      return told.includes('schemas.unavailable 4');
    });
    // No try looks as if it had healed.
    expect(told.filter((text) => text.startsWith('healed'))).toEqual([]);
    for (const sink of sinks) expect(await lastOutcome(sink)).toBe('none');
    server.isAway = false;
    await mapAll(batch);
    for (const sink of sinks) expect(await lastOutcome(sink)).toMatch(/^row 0 .*a/);
    expect(told.filter((text) => text === 'healed schemas.unavailable')).toHaveLength(2);
  });

  it('D7: goes on at once when its source says raw, whatever the registry does', async () => {
    server.isAway = true;
    await start();
    const batch = await produce(avro(7, 'a'));
    await world.until(async () => {
      await round(batch);
      return told.length > 0;
    });
    format = 'raw';
    await mapAll(batch);
    for (const sink of sinks) expect(await lastOutcome(sink)).toMatch(/^dead 0 .*invalidJson/);
  });
});
