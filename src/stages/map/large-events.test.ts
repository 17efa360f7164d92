import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, never, source } from '../../../test/support/faults/delivery-world.ts';
import { noSchemas } from '../../../test/support/no-schemas.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { decodeOutcome, type Outcome } from '../../core/outcome.ts';
import { LineWriter } from '../../mapping/line-writer.ts';
import { createTemplates } from '../../mapping/jsonnet-templates.ts';
import {
  listOf,
  type EventLog,
  type IdentifiedPartition,
  type NewRecords,
  type RecordBatch,
} from '../../ports/event-log.ts';
import { StatusBoard } from '../status/status-board.ts';
import { AppendRoom } from './append-room.ts';
import { MappingCache } from './mapping-cache.ts';
import { PartitionMapper } from './partition-mapper.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { identified } from '../../../test/support/identified.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

let at: IdentifiedPartition;
const mb = 1024 * 1024;
let world: DeliveryWorld;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  at = await identified(world.ports.sourceLog, { topic: source, partition: 0 });
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

function bytesOf(records: NewRecords): number {
  return listOf(records).reduce((sum, { value }) => sum + value.length, 0);
}

interface Behaviour {
  /** It refuses larger appends. */
  readonly maxBytes?: number;
  /** It keeps nothing, and answers a turn later. */
  readonly isForgetful?: boolean;
}

/** A log that tells what is on its way into it. */
class WatchedLog {
  readonly log: EventLog;
  appends: number[] = [];
  underWay = 0;
  mostUnderWay = 0;

  constructor(log: EventLog, { maxBytes = Number.POSITIVE_INFINITY, isForgetful = false }: Behaviour = {}) {
    let forgotten = 0;
    const append: EventLog['append'] = async (to, records, options) => {
      const bytes = bytesOf(records);
      this.appends.push(bytes);
      if (bytes > maxBytes) throw new MillraceError('log.recordTooLarge', `${bytes} bytes are too many`);
      this.underWay += bytes;
      this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay);
      try {
        if (!isForgetful) return await log.append(to, records, options);
        await new Promise((resolve) => setImmediate(resolve));
        return (forgotten += 1000);
      } finally {
        this.underWay -= bytes;
      }
    };
    this.log = new Proxy(log, {
      get: (target, property) => {
        if (property === 'append') return append;
        const member: unknown = Reflect.get(target, property, target);
        return typeof member === 'function' ? (member.bind(target) as unknown) : member;
      },
    });
  }
}

function mapperOn(sinkLog: EventLog, maxAppendBytes: number): PartitionMapper {
  const { clock, ports } = world;
  const observer = { sinkFailed: () => undefined, sinkHealed: () => undefined };
  return new PartitionMapper(at, {
    ...ports,
    sinkLog,
    ...noSchemas(world.clock),
    mappings: new MappingCache(ports.catalog, createTemplates()),
    status: new StatusBoard({ catalog: ports.catalog, clock, role: 'map', member: 'one', observer }),
    observer: { outcomesAppended: () => undefined },
    clock,
    retry: new RetryPacing({ firstMs: 200, capMs: 30_000 }, () => 0.5),
    maxAppendBytes,
    lines: new LineWriter(),
    room: new AppendRoom(32 * mb),
    wake: () => undefined,
    signal: never.signal,
  });
}

function batchOf(...values: readonly Uint8Array[]): RecordBatch {
  const records = values.map((value, offset) => placedRecord({ value, headers: [], timestamp: 1 }, offset));
  return { ...at, records, first: 0, next: values.length, missing: 'lost' };
}

const large = (bytes: number): Buffer => Buffer.from(JSON.stringify({ at: 'x'.repeat(bytes) }));

/** Maps the batch until all sinks have passed it. */
async function mapAll(mapper: PartitionMapper, batch: RecordBatch): Promise<void> {
  let now = 0;
  await world.until(async () => {
    const turn = mapper.turn((now += 10_000));
    if (turn !== undefined && turn.offset < batch.next) await mapper.process(turn.offset, batch);
    await mapper.settled();
    mapper.retryDue(world.clock.monotonic());
    return turn?.offset === batch.next && mapper.lowest === batch.next;
  });
}

async function outcomesIn(topic: string): Promise<readonly Outcome[]> {
  const outcomes: Outcome[] = [];
  const reading = await world.ports.sinkLog.join({ group: 'test', member: 'test' }, never);
  await reading.subscribe([topic], never);
  const [range] = await world.ports.sinkLog.ranges(topic, never);
  const end = range?.stableEnd ?? 0;
  while (outcomes.length < end) {
    const [held] = reading.assignment.partitions;
    if (outcomes.length === 0 && held !== undefined) reading.seek(held, 0);
    const batches = await reading.poll({ maxBytes: mb, maxWaitMs: 10 }, never);
    for (const { records } of batches) outcomes.push(...records.map(({ value }) => decodeOutcome(value)));
  }
  await reading[Symbol.asyncDispose]();
  return outcomes;
}

describe('large events', () => {
  it('D8: a hundred sinks of events of 1 MB have no more on the way than there is room for', async () => {
    const sinks = await Promise.all(Array.from({ length: 100 }, (_, index) => world.addSink(`sink-${index}`)));
    const watched = new WatchedLog(world.ports.sinkLog, { isForgetful: true });
    const mapper = mapperOn(watched.log, 8 * mb);
    mapper.configure(await Promise.all(sinks.map((sink) => world.progress(sink))));
    await mapper.ended();
    await mapAll(mapper, batchOf(large(mb), large(mb)));
    expect(watched.appends.reduce((sum, bytes) => sum + bytes, 0)).toBeGreaterThan(200 * mb);
    expect(watched.mostUnderWay).toBeLessThanOrEqual(32 * mb);
  });

  it('D8: splits what it appends, so that none is over the limit of the topic', async () => {
    const sink = await world.addSink();
    const watched = new WatchedLog(world.ports.sinkLog);
    const mapper = mapperOn(watched.log, 3 * mb);
    mapper.configure([await world.progress(sink)]);
    await mapper.ended();
    await mapAll(mapper, batchOf(...Array.from({ length: 7 }, () => large(mb))));
    expect(watched.appends.every((bytes) => bytes <= 3 * mb)).toBe(true);
    expect(watched.appends).toHaveLength(4);
    const outcomes = await outcomesIn(sink.topic);
    expect(outcomes.map(({ kind, to }) => `${kind} ${to}`)).toEqual([0, 1, 2, 3, 4, 5, 6].map((to) => `row ${to}`));
  });

  it('D2: an event of 100 MB is a dead letter with its head, without being read, and holds up nothing', async () => {
    const sink = await world.addSink();
    const mapper = mapperOn(world.ports.sinkLog, 8 * mb);
    mapper.configure([await world.progress(sink)]);
    await mapper.ended();
    await mapAll(mapper, batchOf(large(1), large(100 * mb), large(7 * mb), large(1)));
    const outcomes = await outcomesIn(sink.topic);
    expect(outcomes.map(({ kind, to }) => `${kind} ${to}`)).toEqual(['row 0', 'dead 1', 'dead 2', 'row 3']);
    const [, huge, tooLong] = outcomes.map((outcome) =>
      'line' in outcome ? Buffer.from(outcome.line).toString() : '',
    );
    expect(huge).toContain('"eventTooLarge"');
    expect(huge).toContain('65536 of 104857609 bytes of the body');
    expect(tooLong).toContain('"rowTooLarge"');
    expect(tooLong).toContain('65536 of 7340041 bytes of the body');
  });

  it('D2: a topic that takes less than it should stops nothing: rows become dead letters, and those are cut', async () => {
    const sink = await world.addSink();
    const watched = new WatchedLog(world.ports.sinkLog, { maxBytes: mb });
    const mapper = mapperOn(watched.log, 8 * mb);
    mapper.configure([await world.progress(sink)]);
    await mapper.ended();
    await mapAll(mapper, batchOf(large(1), large(1.4 * mb), large(5 * mb), large(1)));
    const outcomes = await outcomesIn(sink.topic);
    expect(outcomes.map(({ kind, to }) => `${kind} ${to}`)).toEqual(['row 0', 'dead 1', 'dead 2', 'row 3']);
    const [, row] = outcomes.map((outcome) => ('line' in outcome ? Buffer.from(outcome.line).toString() : ''));
    expect(row).toMatch(/the row has \d+ bytes and the topic of the sink takes \d+/);
  });
});
