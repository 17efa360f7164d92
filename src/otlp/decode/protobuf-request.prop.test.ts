import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import { describe, expect, test } from 'vitest';
import { requestTypes } from '../../../test/support/otlp-definitions.ts';
import { recorded } from '../../../test/support/otlp-recorder.ts';
import { sentRequests } from '../../../test/support/otlp-requests.ts';
import type { Signal } from '../../core/event.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { readProtobuf } from './protobuf-request.ts';

const signals = ['logs', 'metrics', 'traces'] as const;

function read(body: Uint8Array, signal: Signal): readonly unknown[] {
  return recorded((visitor) => readProtobuf(body, signal, visitor));
}

function faultOf(body: Uint8Array, signal: Signal = 'logs'): string | undefined {
  try {
    read(body, signal);
    return undefined;
  } catch (error) {
    if (error instanceof OtlpFault) return error.message;
    throw error;
  }
}

/** A field whose content is bytes. */
function field(number: number, content: Uint8Array): Uint8Array {
  return new protobuf.Writer()
    .uint32((number << 3) | 2)
    .bytes(content)
    .finish();
}

/** A request with one record of these bytes. */
function request(record: Uint8Array): Uint8Array {
  return field(1, field(2, field(2, record)));
}

/** Fields 100 of every wire type. */
const unknown = Buffer.concat([
  new protobuf.Writer()
    .uint32((100 << 3) | 0)
    .uint64(2 ** 52)
    .finish(),
  new protobuf.Writer()
    .uint32((100 << 3) | 1)
    .fixed64(1)
    .finish(),
  field(100, Buffer.from('unknown')),
  new protobuf.Writer()
    .uint32((100 << 3) | 5)
    .fixed32(1)
    .finish(),
]);

describe.each(signals)('a request of %s', (signal) => {
  test('that is mutated is refused or read', () => {
    const cut = fc.tuple(fc.nat(), fc.nat(3), fc.uint8Array({ maxLength: 3 }));
    fc.assert(
      fc.property(sentRequests(signal), fc.array(cut, { minLength: 1, maxLength: 3 }), ({ protobuf: sent }, cuts) => {
        let body = Buffer.from(sent);
        for (const [place, length, added] of cuts) {
          const at = place % (body.length + 1);
          body = Buffer.concat([body.subarray(0, at), added, body.subarray(at + length)]);
        }
        faultOf(body, signal);
      }),
      { numRuns: 300 },
    );
  });

  test('that is cut at any byte inside a resource is refused', () => {
    fc.assert(
      fc.property(sentRequests(signal), ({ protobuf: sent }) => {
        const ends = new Set([0]);
        const reader = new protobuf.Reader(sent);
        while (reader.pos < sent.length) {
          reader.uint32();
          reader.bytes();
          ends.add(reader.pos);
        }
        for (let end = 0; end < Math.min(sent.length, 2000); end += 1)
          expect(faultOf(sent.subarray(0, end), signal) === undefined).toBe(ends.has(end));
      }),
      { numRuns: 20 },
    );
  });

  test('of random bytes is refused or read', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (body) => void faultOf(body, signal)),
      { numRuns: 1000 },
    );
  });

  test('with unknown fields of every wire type means the same', () => {
    fc.assert(
      fc.property(sentRequests(signal), ({ protobuf: sent }) => {
        expect(read(Buffer.concat([unknown, sent, unknown]), signal)).toEqual(read(sent, signal));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a record', () => {
  const record = requestTypes.logs.root.lookupType('LogRecord');

  test('has unknown fields of every wire type left out', () => {
    const known = record.encode(record.fromObject({ severityText: 'x', flags: 3 })).finish();
    expect(read(request(Buffer.concat([unknown, known, unknown])), 'logs')).toEqual(read(request(known), 'logs'));
  });

  test('gets the resource and the scope that stand behind it', () => {
    const log = field(2, record.encode(record.fromObject({ severityText: 'x' })).finish());
    const scope = field(1, field(1, Buffer.from('scope')));
    const resource = field(1, field(1, field(1, Buffer.from('key'))));
    const body = field(1, Buffer.concat([field(2, Buffer.concat([log, scope])), resource]));
    expect(read(body, 'logs')).toMatchObject([
      ['resource', { attributes: [{ key: 'key' }] }, ''],
      ['scope', { name: 'scope' }, ''],
      ['log', { severity_text: 'x' }],
    ]);
  });

  test.each([0, 1, 3, 4, 5, 6, 7])('whose text has the wire type %i is refused', (type) => {
    const content = [(3 << 3) | type, 1, 0, 0, 0, 0, 0, 0, 0];
    expect(faultOf(request(Uint8Array.from(content)))).toMatch(/has the type|over the end/);
  });

  test.each([127, 2 ** 20, 2 ** 31, 2 ** 32 - 1])('with a length of %i is refused', (length) => {
    const text = new protobuf.Writer()
      .uint32((3 << 3) | 2)
      .uint32(length)
      .finish();
    expect(faultOf(request(text))).toContain('over the end');
  });

  test('with a length of 64 bits is refused', () => {
    const length = Uint8Array.from([(3 << 3) | 2, ...Array<number>(9).fill(0xff), 1]);
    expect(faultOf(request(length))).toMatch(/over the end|cut or broken/);
  });

  test('D8: is not nested without end', () => {
    const nested = (levels: number): Uint8Array => {
      let any: Uint8Array = new Uint8Array();
      for (let level = 0; level < levels; level += 1) any = field(5, field(1, any));
      return request(field(5, any));
    };
    expect(faultOf(nested(Math.floor((otlpLimits.nesting - 1) / 2)))).toBeUndefined();
    expect(faultOf(nested(Math.ceil((otlpLimits.nesting - 1) / 2)))).toContain('nested deeper than');
    expect(faultOf(nested(10_000))).toContain('nested deeper than');
  });

  test('D8: has no more values than are allowed', () => {
    const attributes = (count: number): Uint8Array =>
      request(Buffer.concat(Array(count).fill(field(6, new Uint8Array()))));
    expect(faultOf(attributes(otlpLimits.valuesPerRecord))).toBeUndefined();
    expect(faultOf(attributes(otlpLimits.valuesPerRecord + 1))).toContain('more than 100000 values');
  });
});

describe('a list of numbers', () => {
  function point(content: Uint8Array): unknown {
    const body = field(1, field(2, field(2, field(9, field(1, content)))));
    return ((read(body, 'metrics').at(-1) as readonly unknown[])[1] as { point: unknown }).point;
  }

  test('is the same packed, not packed, and in parts', () => {
    const number = (value: number): Uint8Array => new protobuf.Writer().fixed64(value).finish();
    const alone = (value: number): Uint8Array => Buffer.concat([Uint8Array.of((6 << 3) | 1), number(value)]);
    const packed = field(6, Buffer.concat([number(1), number(2), number(3)]));
    const mixed = Buffer.concat([alone(1), field(6, Buffer.concat([number(2), number(3)]))]);
    expect(point(packed)).toMatchObject({ bucket_counts: [1, 2, 3] });
    expect(point(mixed)).toEqual(point(packed));
    expect(point(Buffer.concat([alone(1), alone(2), alone(3)]))).toEqual(point(packed));
  });

  test('that ends in the middle of a number is refused', () => {
    const content = field(6, Uint8Array.of(1, 2, 3));
    expect(faultOf(field(1, field(2, field(2, field(9, field(1, content))))), 'metrics')).toMatch(/end|cut/);
  });
});
