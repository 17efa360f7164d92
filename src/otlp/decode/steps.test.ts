import { expect, test } from 'vitest';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { Flattener } from '../flatten/flattener.ts';
import { readProtobuf } from './protobuf-request.ts';

function stepsOf(body: Uint8Array): number {
  let steps = 0;
  for (const step of readProtobuf(body, 'logs', new Flattener(() => undefined))) {
    expect(step).toBe(undefined);
    steps += 1;
  }
  return steps;
}

test('D8: resources without content are read in turns, and no more of them than parts are allowed', () => {
  const empty = Buffer.from([0x0a, 0x00]);
  expect(stepsOf(Buffer.alloc(2 * otlpLimits.partsPerRequest, empty))).toBeGreaterThan(100);
  expect(() => stepsOf(Buffer.alloc(2 * (otlpLimits.partsPerRequest + 1), empty))).toThrow(OtlpFault);
});
