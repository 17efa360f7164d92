import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { madeTrace } from '../../../test/support/made-trace.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { ToldSpans } from '../../../test/support/told-spans.ts';
import { limits } from '../../core/limits.ts';
import type { LogRecord } from '../../ports/event-log.ts';
import { BatchContexts } from './batch-contexts.ts';
import type { Mapped } from './map-batch.ts';
import { outcomeRecords } from './outcome-records.ts';
import { PortionSpans } from './portion-spans.ts';
import { placedRecord } from '../../../test/support/placed-record.ts';

const { key } = progressOf(0);
const of = { key, at: { topic: 'source.1.shop', partition: 3 } };
const row: Mapped = { kind: 'row', line: new Uint8Array(), arrivedAt: 0 };
const everywhere = { position: 1e6, roomBytes: 1e6 };

let spans: ToldSpans;
let clock: FakeClock;

beforeEach(() => {
  spans = new ToldSpans();
  clock = new FakeClock();
});

const record = (offset: number, headers: readonly string[]): LogRecord =>
  placedRecord({ headers, value: new Uint8Array(), timestamp: 0 }, offset);
const ofProducer = (offset: number, traceparent: string): LogRecord => record(offset, ['traceparent', traceparent]);
const ofRequest = (offset: number, traceparent: string): LogRecord =>
  record(offset, ['millrace-id', String(offset), 'millrace-remote', '', 'millrace-traceparent', traceparent]);

function portionOf(records: readonly LogRecord[], mapped: readonly Mapped[] = []): PortionSpans {
  const portion = new PortionSpans(spans, new BatchContexts(spans, records), clock);
  for (const [index, { offset }] of records.entries()) portion.note(index, offset, mapped[index] ?? row);
  return portion;
}

describe('H1: the spans of an append', () => {
  it('are one for the records of a request, with what became of them', () => {
    const { traceparent } = madeTrace();
    const portion = portionOf(
      [10, 11, 12].map((offset) => ofRequest(offset, traceparent)),
      [row, { kind: 'filtered' }, row],
    );
    const traceparentOf = portion.begin(of, everywhere);
    const [span] = spans.told;
    expect(spans.told).toHaveLength(1);
    expect(span?.parent).toMatchObject({ spanId: traceparent.split('-')[2] });
    expect(span?.attributes).toMatchObject({
      'messaging.destination.partition.id': '3',
      'millrace.offset.first': 10,
      'millrace.offset.last': 12,
      'millrace.outcomes.row': 2,
      'millrace.outcomes.filtered': 1,
    });
    expect([10, 11, 12, 13].map(traceparentOf)).toEqual([...Array<unknown>(3).fill(span?.traceparent), undefined]);
    expect(span?.ended).toBeUndefined();
    portion.end();
    expect(span?.ended?.failure).toBeUndefined();
  });

  it('end with what kept the append from its topic', () => {
    const portion = portionOf([ofRequest(0, madeTrace().traceparent)]);
    portion.begin(of, everywhere);
    portion.end('no disk');
    expect(spans.told[0]?.ended?.failure).toBe('no disk');
  });

  it('are not of records that the append has no room for: those are mapped again', () => {
    const portion = portionOf([0, 1].map((offset) => ofRequest(offset, madeTrace().traceparent)));
    const traceparentOf = portion.begin(of, { position: 0, roomBytes: 1e6 });
    expect(spans.told).toHaveLength(1);
    expect(traceparentOf(1)).toBeUndefined();
  });

  it('H3: ask nobody again for a request that ingest admitted, and once for the records of a producer', () => {
    const { traceparent } = madeTrace();
    portionOf([ofRequest(0, traceparent), ofRequest(1, madeTrace('00').traceparent)]);
    expect(spans.entered).toBe(0);
    const portion = portionOf([ofProducer(2, traceparent), ofProducer(3, traceparent), ofProducer(4, 'nonsense')]);
    expect(spans.entered).toBe(1);
    portion.begin(of, everywhere);
    expect(spans.told).toHaveLength(1);
  });
});

describe('H8: an append', () => {
  it('follows so many traces, and all records of those', () => {
    const traces = Array.from({ length: limits.tracesPerAppend + 1 }, () => madeTrace().traceparent);
    const records = [...traces, ...traces].map((traceparent, offset) => ofRequest(offset, traceparent));
    const traceparentOf = portionOf(records).begin(of, everywhere);
    expect(spans.told).toHaveLength(limits.tracesPerAppend);
    expect(traceparentOf(limits.tracesPerAppend)).toBeUndefined();
    expect(traceparentOf(limits.tracesPerAppend + 1)).toBeDefined();
  });

  it('does not grow beyond what its topic takes: an outcome without room for its trace goes without', () => {
    const { traceparent } = madeTrace();
    const records = [0, 1, 2].map((offset) => ofRequest(offset, traceparent));
    const traceparentOf = portionOf(records).begin(of, { position: 2, roomBytes: 300 });
    expect([0, 1, 2].map((offset) => traceparentOf(offset) !== undefined)).toEqual([true, true, false]);
  });
});

it('H1: only an outcome that may have lines carries the span that it was mapped in', () => {
  const run = { from: 0, to: 1, mappingVersion: 1 };
  const records = outcomeRecords(
    [
      { ...run, kind: 'row', arrivedAt: 0, line: new Uint8Array() },
      { ...run, kind: 'filtered' },
      { ...run, kind: 'lost' },
    ],
    { timestamp: 0, epoch: 3, traceparentOf: () => '00-a-b-01' },
  );
  expect(records.map(({ headers }) => headers)).toEqual([
    ['epoch', '3', 'traceparent', '00-a-b-01'],
    ['epoch', '3'],
    [],
  ]);
});
