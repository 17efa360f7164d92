import * as fc from 'fast-check';
import type { IHeaders } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { fromKafkaHeaders, toKafkaHeaders } from './record-headers.ts';

/** What kafkajs does to headers on their way to a broker and back. */
function sentAndRead(headers: IHeaders): IHeaders {
  const sent = Object.entries(headers).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((one) => [name, Buffer.from(String(one))] as const),
  );
  return sent.reduce<IHeaders>((read, [name, value]) => {
    const present = Object.hasOwn(read, name) ? read[name] : undefined;
    const together = Array.isArray(present) ? [...present, value] : [present ?? [], value].flat();
    return { ...read, [name]: present === undefined ? value : together };
  }, {});
}

const name = fc.oneof(fc.constantFrom('a', 'b', '1', '0', '__proto__', 'constructor', 'é'), fc.string());

describe('headers of a Kafka record', () => {
  it('come back as they were, in order, whatever their names', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(name, fc.string({ unit: 'grapheme' })), { maxLength: 8 }), (pairs) => {
        const list = pairs.flat();
        expect(fromKafkaHeaders(sentAndRead(toKafkaHeaders(list)))).toEqual(list);
      }),
    );
  });

  it('say their order only when kafkajs would change it', () => {
    expect(Object.keys(toKafkaHeaders(['a', '1', 'b', '2', 'b', '3']))).toEqual(['a', 'b']);
    expect(Object.keys(toKafkaHeaders(['a', '1', 'b', '2', 'a', '3']))).toContain('millrace-header-order');
    expect(Object.keys(toKafkaHeaders(['b', '1', '7', '2']))).toContain('millrace-header-order');
  });

  it.each(['', '{}', '[]', '[9,9]', '["x","y"]', 'x'])(
    'of somebody else stay as they are, also under the name that says the order: %s',
    (order) => {
      const headers = { a: ['1', '2'], 'millrace-header-order': order };
      expect(fromKafkaHeaders(headers)).toEqual(['a', '1', 'a', '2']);
    },
  );

  it('without a value are empty', () => {
    expect(fromKafkaHeaders({ a: undefined })).toEqual(['a', '']);
    expect(fromKafkaHeaders(undefined)).toEqual([]);
  });
});
