import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DataPoint, MetricHead } from '../decode/record-visitor.ts';
import type { NumberDataPoint } from '../wire/messages.ts';
import { Flattener } from './flattener.ts';

const gauge: MetricHead = {
  name: 'm',
  description: '',
  unit: '',
  metadata: [],
  type: 'gauge',
  temporality: 0,
  isMonotonic: undefined,
};
const plain = { attributes: [], as_double: 0, as_int: 1, value: 'as_int', exemplars: [], flags: 0 } as const;

/** Writes points of one metric, one after the other. */
function writer(): (point: DataPoint) => string {
  let text = '';
  const flattener = new Flattener((record) => {
    text = String(record);
  });
  flattener.metric(gauge);
  return (point) => {
    flattener.point(point);
    return text;
  };
}

const nanos = fc.constantFrom(0, 5, 1_700_000_000_000_000_000n, 1_700_000_000_123_456_789n);
const points = fc.array(fc.record({ request: fc.nat(1), start_time_unix_nano: nanos, time_unix_nano: nanos }));

test('A19: the times of a point are its own, whatever points stand before it and come of other requests in between', () => {
  fc.assert(
    fc.property(points, (some) => {
      const requests = [writer(), writer()];
      for (const { request, ...times } of some) {
        const point: NumberDataPoint = { ...plain, attributes: [], exemplars: [], ...times };
        const data: DataPoint = { type: 'gauge', point };
        expect(requests[request]?.(data)).toBe(writer()(data));
      }
    }),
    { numRuns: 500 },
  );
});
