import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { recorded } from '../../../test/support/otlp-recorder.ts';
import { sentRequests } from '../../../test/support/otlp-requests.ts';
import type { Signal } from '../../core/event.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { readJson } from './json-request.ts';
import type { RecordVisitor } from './record-visitor.ts';

function read(body: Uint8Array, signal: Signal): readonly unknown[] | 'fault' {
  try {
    return recorded((visitor: RecordVisitor) => readJson(body, signal, visitor));
  } catch (error) {
    if (error instanceof OtlpFault) return 'fault';
    throw error;
  }
}

const attribute = `{"key":"\\"\\\\]}","value":{"stringValue":"${'x'.repeat(500)}"}}`;
const large = `{"attributes":[${Array(300).fill(attribute).join()}]}`;

function largeRequest(records: readonly string[]): string {
  const logs = `"logRecords" : [ ${records.join(' ,\n')} ]`;
  return `\n{"unknown":[${large},{}],"resourceLogs" : [{},{"scopeLogs":[{ "x":[],${logs} , "schemaUrl":"s"}],"resource":${large}}, {} ] }\t`;
}

const records = fc.array(fc.constantFrom('{}', '{"flags":1}', large, '{"body":{"stringValue":"é\\u0000"}}'), {
  minLength: 6,
  maxLength: 20,
});

test('a large request is read in pieces as it would be read at once', () => {
  fc.assert(
    fc.property(records, (some) => {
      const text = largeRequest([large, large, large, large, ...some]);
      // Without the unknown fields it means the same; each record alone is small enough to be read at once.
      const told = read(Buffer.from(text), 'logs') as readonly (readonly unknown[])[];
      const each = [large, large, large, large, ...some].map((record) => {
        const alone = read(Buffer.from(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[${record}]}]}]}`), 'logs');
        return alone.at(-1);
      });
      expect(told.filter(([kind]) => kind === 'log')).toEqual(each);
      expect(told.map(([kind]) => kind).filter((kind) => kind !== 'log')).toEqual([
        'resource',
        'resource',
        'scope',
        'resource',
      ]);
      expect(told[1]).toMatchObject(['resource', { attributes: { length: 300 } }, '']);
      expect(told[2]).toEqual(['scope', undefined, 's']);
    }),
    { numRuns: 10 },
  );
});

/** Bytes that make or break JSON. */
const bytes = fc.constantFrom(...Buffer.from('{}[],:"\\ 0-x\xff\n', 'latin1'));

test('a large request that one byte breaks is refused, wherever the byte is, or stays valid JSON', () => {
  const body = Buffer.from(largeRequest([large, '{}', large, large, '{}', large]));
  const structure = [...body.keys()].filter((at) => '{}[],: '.includes(String.fromCharCode(body[at]!)));
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...structure), fc.nat(body.length - 1)), bytes, (at, byte) => {
      const broken = Buffer.from(body);
      broken[at] = byte;
      const told = read(broken, 'logs');
      if (told !== 'fault') JSON.parse(broken.toString());
    }),
    { numRuns: 60 },
  );
});

test.each(['logs', 'metrics', 'traces'] as const)('a request of %s that is mutated is refused or read', (signal) => {
  const cut = fc.tuple(fc.nat(), fc.nat(3), fc.array(bytes, { maxLength: 3 }));
  fc.assert(
    fc.property(sentRequests(signal), fc.array(cut, { maxLength: 3 }), ({ json }, cuts) => {
      let body = Buffer.from(json);
      for (const [place, length, added] of cuts) {
        const at = place % (body.length + 1);
        body = Buffer.concat([body.subarray(0, at), Buffer.from(added), body.subarray(at + length)]);
      }
      if (read(body, signal) !== 'fault') JSON.parse(body.toString());
    }),
    { numRuns: 300 },
  );
});

test('random bytes are refused, or an empty request', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.uint8Array(),
        fc.array(bytes).map((some) => Buffer.from(some)),
      ),
      (body) => {
        expect(['fault', '']).toContain(String(read(body, 'metrics')));
      },
    ),
  );
});

test('a request of some megabytes is read wherever its steps end', () => {
  const [record, count] = ['{"flags":1234567}', 90_000];
  for (let blanks = 0; blanks < record.length; blanks += 1) {
    const logs = Array<string>(count).fill(record).join();
    const text = `${' '.repeat(blanks)}{"resourceLogs":[{"scopeLogs":[{"logRecords":[${logs}]}]}]}`;
    expect(read(Buffer.from(text), 'logs')).toHaveLength(count + 2);
  }
});
