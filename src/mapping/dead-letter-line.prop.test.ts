import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deadLetterColumns, type Refusal } from '../core/dead-letter.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import { csvCells, eventId, ingestedEvent, oddCharacters, recordEvent } from '../../test/support/mapping-fixture.ts';
import { shortestDeadLetterLimit, writeDeadLetterLine } from './dead-letter-line.ts';
import type { MappedEvent } from './event-of-record.ts';
import { LineWriter } from './line-writer.ts';

const sink = { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId('orders') };
const refusal: Refusal = { reason: 'pathNotFound', column: 'c', message: 'path "a" not found in the body', place: '' };

function lineOf(event: MappedEvent, refused: Refusal = refusal, maxBytes?: number): string {
  const writer = new LineWriter(16);
  const place = { incarnation: parseIncarnation(3), mappingVersion: 2, partition: 1, offset: 41 };
  writeDeadLetterLine({ sink, ...place, event, refusal: refused, isWhole: false }, writer, maxBytes);
  return writer.line().toString();
}

test('a dead letter keeps the whole event with reason and place, one cell for each column of its table', () => {
  const cells = csvCells(lineOf(ingestedEvent({ body: '{"x":1}' })));
  expect(Object.fromEntries(deadLetterColumns.map((column, at) => [column, cells[at]]))).toEqual({
    incarnation: '3',
    source: 'shop',
    sink: 'orders',
    partition: '1',
    offset: '41',
    event_id: eventId,
    arrived_at: '2006-01-02T08:04:05.007Z',
    reason: 'pathNotFound',
    column: 'c',
    message: 'path "a" not found in the body',
    place: '',
    mapping_version: '2',
    headers: '{"Content-Type":"application/json"}',
    body: Buffer.from('{"x":1}').toString('base64'),
  });
});

test('D2: a dead letter is written whatever the event holds, and its cells are always valid text', () => {
  const text = fc.string({ unit: fc.constantFrom(...oddCharacters) });
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.array(text, { maxLength: 6 }),
      fc.tuple(text, fc.double()),
      (body, headers, [odd, timestamp]) => {
        const refused = { ...refusal, column: odd, message: `${odd}\u0000\ud800`, place: odd };
        const line = lineOf(recordEvent({ body, headers, timestamp }), refused);
        const cells = csvCells(line);
        expect(cells).toHaveLength(deadLetterColumns.length);
        expect(line).not.toContain('\u0000');
        expect(Buffer.from(cells.at(-1) ?? '', 'base64')).toEqual(Buffer.from(body));
      },
    ),
  );
});

test('D2: a dead letter may be longer than the row limit that refused its event', () => {
  const body = Buffer.alloc(limits.rowBytes * 2, 'x');
  expect(csvCells(lineOf(ingestedEvent({ body }))).at(-1)).toBe(body.toString('base64'));
});

function cellsOf(line: string): Record<(typeof deadLetterColumns)[number], string> {
  const cells = csvCells(line);
  return Object.fromEntries(deadLetterColumns.map((column, at) => [column, cells[at] ?? ''])) as never;
}

test('D8: of an event that is too large the head is kept, with its place and how much there was', () => {
  const body = Buffer.alloc(2 ** 20, '{"x":"');
  const headers = ['A', 'first', 'Long', 'y'.repeat(100_000), 'Cut', 'away'];
  const event = recordEvent({ body, headers, timestamp: 0 });
  const cells = cellsOf(lineOf(event, refusal, 2 ** 20));
  expect(Buffer.from(cells.body, 'base64')).toEqual(body.subarray(0, 65_536));
  const kept = 16_384 - 'AfirstLong'.length;
  expect(JSON.parse(cells.headers)).toEqual({ A: 'first', Long: 'y'.repeat(kept) });
  expect(cells.message).toBe(
    'path "a" not found in the body (only the head of the event is kept, which is too large for a dead letter: ' +
      '65536 of 1048576 bytes of the body, 16384 of 100017 characters of the headers)',
  );
  expect(cells).toMatchObject({ reason: 'pathNotFound', partition: '1', offset: '41' });
});

test('D8: a dead letter is never longer than its limit, whatever the event holds', () => {
  const text = fc.string({ unit: fc.constantFrom(...oddCharacters, '"', '<', '€') });
  const many = fc.record({ unit: text, times: fc.constantFrom(1, 1000, 100_000) });
  fc.assert(
    fc.property(fc.nat(400_000), fc.array(many, { maxLength: 4 }), many, (size, texts, long) => {
      const headers = texts.map(({ unit, times }) => unit.repeat(times));
      const event = recordEvent({ body: Buffer.alloc(size, 1), headers, timestamp: 0 });
      const refused = { ...refusal, message: long.unit.repeat(long.times) };
      const line = lineOf(event, refused, shortestDeadLetterLimit);
      expect(csvCells(line)).toHaveLength(deadLetterColumns.length);
      expect(Buffer.byteLength(line)).toBeLessThanOrEqual(shortestDeadLetterLimit);
    }),
    { numRuns: 50 },
  );
});

test('D8: a hundred thousand headers without a character are cut, too', () => {
  const headers = Array.from({ length: 200_000 }, () => '');
  const event = recordEvent({ body: Buffer.from('{}'), headers, timestamp: 0 });
  const line = lineOf(event, refusal, shortestDeadLetterLimit);
  expect(Buffer.byteLength(line)).toBeLessThan(shortestDeadLetterLimit);
});
