import { beforeEach, describe, expect, it } from 'vitest';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { madeTrace } from '../../test/support/made-trace.ts';
import { progressOf } from '../../test/support/progress-of.ts';
import { ToldSpans } from '../../test/support/told-spans.ts';
import { requestSpans, type RequestSpan, type SpannedRequest } from './request-spans.ts';

const { key } = progressOf(0);
let spans: ToldSpans;
let clock: FakeClock;

beforeEach(() => {
  spans = new ToldSpans();
  clock = new FakeClock(1000);
});

function begun(over: SpannedRequest['over'], sources = [{ key }]): RequestSpan | undefined {
  const { traceparent } = madeTrace();
  return requestSpans(spans, clock).begin({ traceparent, tracestate: 'a=1', sources, over });
}

describe('H1: the span of a request', () => {
  it('lasts from its headers to its answer, once, and marks its records', () => {
    const span = begun('http');
    clock.advance(20);
    span?.end({ status: 200, failure: undefined, events: 3 });
    clock.advance(20);
    span?.end({ status: 500, failure: 'late', events: 0 });
    const [told] = spans.told;
    expect(told).toMatchObject({ name: `accept ${key.sourceId}`, kind: 'server', startedAt: 1000 });
    expect(told?.ended).toMatchObject({ at: 1020, failure: undefined });
    expect(told?.ended?.attributes).toEqual({ 'http.response.status_code': 200, 'messaging.batch.message_count': 3 });
    expect(span?.marks).toEqual(['millrace-traceparent', told?.traceparent, 'millrace-tracestate', 'a=1']);
  });

  it.each([
    { over: 'http', status: 400, isError: false },
    { over: 'http', status: 503, isError: true },
    { over: 'grpc', status: 3, isError: false },
    { over: 'grpc', status: 14, isError: true },
    { over: 'http', status: undefined, isError: true },
  ] as const)('$over $status is an error of the server: $isError', ({ over, status, isError }) => {
    begun(over)?.end({ status, failure: 'why', events: 0 });
    expect(spans.told[0]?.ended?.failure !== undefined).toBe(isError);
    expect(spans.told[0]?.ended?.attributes).toMatchObject({ 'error.type': 'why' });
  });

  it('for several sources names none of them', () => {
    begun('http', [{ key }, { key }]);
    expect(spans.told[0]).toMatchObject({ name: 'accept', attributes: { 'millrace.sources': 2 } });
  });

  it('is none for a sender that wants none', () => {
    const request = { tracestate: undefined, sources: [{ key }], over: 'http' } as const;
    expect(requestSpans(spans, clock).begin({ ...request, traceparent: madeTrace('00').traceparent })).toBeUndefined();
    expect(spans.told).toEqual([]);
  });
});
