import { describe, expect, it } from 'vitest';
import { carriedContext } from './carried-context.ts';

const [ours, theirs] = ['00-of-our-request-01', '00-of-somebody-01'];
const ingested = ['millrace-id', 'x', 'millrace-remote', '1.2.3.4'];

describe('H3: the trace of a record', () => {
  it('goes on with the span of its request, whatever its client said', () => {
    const headers = [...ingested, 'millrace-traceparent', ours, 'millrace-tracestate', 'a=1', 'traceparent', theirs];
    expect(carriedContext(headers)).toEqual({ traceparent: ours, tracestate: 'a=1', isAdmitted: true });
  });

  it('is none when its request had no span, whatever its client said', () => {
    expect(carriedContext([...ingested, 'traceparent', theirs])).toBeUndefined();
    expect(carriedContext([...ingested, 'host', 'x', 'millrace-traceparent', ours])).toBeUndefined();
  });

  it('goes on with the span of a producer that wrote it to the topic', () => {
    const headers = ['a', 'b', 'traceparent', theirs, 'tracestate', 'b=2', 'traceparent', ours];
    expect(carriedContext(headers)).toEqual({ traceparent: theirs, tracestate: 'b=2', isAdmitted: false });
    expect(carriedContext(['millrace-traceparent', ours])).toBeUndefined();
    expect(carriedContext([])).toBeUndefined();
  });
});
