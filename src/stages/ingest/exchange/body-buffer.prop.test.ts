import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BodyBuffer } from './body-buffer.ts';

test('a body is its chunks in order, however it was cut', () => {
  const chunks = fc.array(fc.uint8Array({ maxLength: 20_000 }), { maxLength: 12 });
  fc.assert(
    fc.property(chunks, fc.nat(100_000), (parts, expected) => {
      const body = new BodyBuffer(expected);
      for (const part of parts) body.add(Buffer.from(part));
      expect(body.length).toBe(Buffer.concat(parts).length);
      expect(body.take().equals(Buffer.concat(parts))).toBe(true);
    }),
  );
});

test('a body of one chunk is that chunk, and a chunk is never written to', () => {
  const chunk = Buffer.from('abc');
  const one = new BodyBuffer(0);
  one.add(chunk);
  expect(one.take()).toBe(chunk);
  const two = new BodyBuffer(0);
  two.add(chunk.subarray(0, 2));
  two.add(Buffer.from('xy'));
  expect([two.take().toString(), chunk.toString()]).toEqual(['abxy', 'abc']);
});
