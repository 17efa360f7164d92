import { setImmediate } from 'node:timers/promises';
import type { ReadableSpan, SpanExporter } from '@opentelemetry/sdk-trace';
import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { madeTrace } from '../../../test/support/made-trace.ts';
import { limits } from '../../core/limits.ts';
import { exportSpans, type ExportedSpans } from './otlp-spans.ts';
import { SpanExports } from './span-exports.ts';

const target = { url: 'http://127.0.0.1:1', version: '1', instance: 'one', thread: 'main' };
const start = { name: 'work', kind: 'internal', startedAt: 1_700_000_000_000, attributes: {} } as const;

let taken: ReadableSpan[];
const taking: SpanExporter = {
  export: (spans, answer) => {
    taken.push(...spans);
    answer({ code: 0 });
  },
  shutdown: async () => undefined,
};

let clock: FakeClock;
let counts: Record<'exported' | 'failed' | 'dropped', number>;

beforeEach(() => {
  taken = [];
  clock = new FakeClock();
  counts = { exported: 0, failed: 0, dropped: 0 };
});

function opened(exporter: SpanExporter, { ratio = 0, random = (): number => 0.5 } = {}): ExportedSpans {
  const observer = {
    exported: (spans: number) => void (counts.exported += spans),
    failed: (spans: number) => void (counts.failed += spans),
    dropped: (spans: number) => void (counts.dropped += spans),
  };
  return exportSpans({ ...target, ratio }, { clock, random, observer, exporter });
}

describe('H3: a trace is entered', () => {
  it('by the flag of its sender, whatever the share is', () => {
    const spans = opened(taking, { ratio: 1 });
    const { traceparent, traceId } = madeTrace();
    expect(spans.enter(traceparent, 'a=1')?.parent).toMatchObject({ traceId, state: 'a=1' });
    expect(spans.enter(madeTrace('00').traceparent, undefined)).toBeUndefined();
    expect(opened(taking, { ratio: 0 }).enter(traceparent, undefined)).toBeDefined();
  });

  it('by the share of requests, where none is named or what is named is no trace', () => {
    const spans = opened(taking, { ratio: 0.5, random: () => 0.499 });
    expect(spans.enter(undefined, undefined)).toEqual({ parent: undefined });
    expect(spans.enter('nonsense', undefined)).toEqual({ parent: undefined });
    expect(opened(taking, { ratio: 0.5 }).enter(undefined, undefined)).toBeUndefined();
    expect(opened(taking, { random: () => 0 }).enter(undefined, undefined)).toBeUndefined();
  });

  it('so often in a second, and what is refused is counted', () => {
    const spans = opened(taking);
    const enter = (): unknown => spans.enter(madeTrace().traceparent, undefined);
    const entered = Array.from({ length: limits.tracesPerSecond + 2 }, enter).filter((one) => one !== undefined);
    expect(entered).toHaveLength(limits.tracesPerSecond);
    expect(counts.dropped).toBe(2);
    clock.advance(999);
    expect(enter()).toBeUndefined();
    clock.advance(1);
    expect(enter()).toBeDefined();
  });
});

describe('spans', () => {
  it('are exported with their times, also those that began before the process', async () => {
    const spans = opened(taking);
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), isSampled: true, state: 'v=1' };
    const span = spans.begin({ ...start, startedAt: 1_700_000_000_500.25, parent, links: [parent] });
    span.end({ at: 1_700_000_001_000, failure: 'broken', attributes: { more: 1 } });
    await spans.end();
    const [made] = taken;
    expect(made).toMatchObject({
      name: 'work',
      startTime: [1_700_000_000, 500_250_000],
      endTime: [1_700_000_001, 0],
      parentSpanContext: { spanId: parent.spanId },
      status: { message: 'broken' },
      attributes: { more: 1 },
      resource: { attributes: { 'service.name': 'millrace', 'service.instance.id': 'one' } },
    });
    expect(made?.spanContext()).toMatchObject({ traceId: parent.traceId, spanId: span.context.spanId });
    expect(made?.spanContext().traceState?.serialize()).toBe('v=1');
    expect(made?.links).toHaveLength(1);
    expect(counts).toEqual({ exported: 1, failed: 0, dropped: 0 });
  });

  it('H5: wait in a bounded number while the server does not answer; more are dropped and counted', async () => {
    const answers: (() => void)[] = [];
    const hanging: SpanExporter = {
      export: (_, answer) => void answers.push(() => answer({ code: 1, error: new Error('late') })),
      shutdown: async () => undefined,
    };
    const spans = opened(hanging);
    // The first export is under way from here on.
    for (let n = 0; n < 256; n += 1) spans.begin(start).end({ at: 1_700_000_000_001 });
    expect(answers).toHaveLength(1);
    for (let n = 0; n < limits.waitingSpans + 5; n += 1) spans.begin(start).end({ at: 1_700_000_000_001 });
    expect(counts.dropped).toBe(5);
    answers[0]?.();
    expect(counts.failed).toBe(256);
  });

  it('H5: that have no answer in time have failed, whatever comes later, and what they hold open is let go', async () => {
    const answers: (() => void)[] = [];
    let abandoned = 0;
    const exports = new SpanExports({
      exporter: {
        export: (_, answer) => void answers.push(() => answer({ code: 0 })),
        shutdown: async () => undefined,
      },
      observer: {
        exported: (spans) => void (counts.exported += spans),
        failed: (spans) => void (counts.failed += spans),
        dropped: () => undefined,
      },
      clock,
      most: 10,
      patienceMs: 3000,
      abandon: () => void (abandoned += 1),
    });
    const codes: number[] = [];
    for (let n = 0; n < 2; n += 1) exports.export([], ({ code }) => void codes.push(code));
    exports.export([{} as ReadableSpan], ({ code }) => void codes.push(code));
    answers[0]?.();
    clock.advance(2999);
    await setImmediate();
    expect([codes, abandoned]).toEqual([[0], 0]);
    clock.advance(1);
    await setImmediate();
    expect([codes, abandoned]).toEqual([[0, 1, 1], 2]);
    answers[2]?.();
    expect([codes, counts]).toEqual([[0, 1, 1], { exported: 0, failed: 1, dropped: 0 }]);
  });
});
