import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { deadLetterColumns, type DeadLetterCells } from '../core/dead-letter.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../core/ids.ts';
import { csvCells, eventId, ingestedEvent, recordEvent } from '../../test/support/mapping-fixture.ts';
import { shortestDeadLetterLimit, writeDeadLetterLine } from './dead-letter-line.ts';
import { eventOfLetter } from './letter-event.ts';
import { LineWriter } from './line-writer.ts';
import type { MappedEvent } from './mapped-event.ts';

const sink = { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId('orders') };

function letterOf(event: MappedEvent, isWhole = true): DeadLetterCells {
  const writer = new LineWriter(16);
  const place = { incarnation: parseIncarnation(3), mappingVersion: 2, partition: 2, offset: 7 };
  const refusal = { reason: 'pathNotFound', column: 'c', message: 'm', place: '' } as const;
  writeDeadLetterLine({ sink, ...place, event, refusal, isWhole }, writer, shortestDeadLetterLimit);
  const cells = csvCells(writer.line().toString());
  return Object.fromEntries(deadLetterColumns.map((column, at) => [column, cells[at] ?? ''])) as DeadLetterCells;
}

/** All that a mapping sees of an event. */
function seen(event: MappedEvent | undefined) {
  if (event === undefined) return undefined;
  const { id, arrivedAt, remoteAddress, signal, format, canonicalHeaders } = event;
  return {
    id,
    arrivedAt,
    remoteAddress,
    signal,
    format,
    canonicalHeaders,
    headers: event.headersJson(),
    body: Buffer.from(event.body).toString('base64'),
  };
}

test('D7: a mapping sees in a dead letter the event that was refused, whatever it was and whoever wrote it', () => {
  const names = fc.constantFrom('X-A', 'x-b', 'Cookie', 'Accept', '__proto__', 'constructor');
  const text = fc.string({ unit: fc.constantFrom('a', '"', '<', ',', ' ', 'ü') });
  const reserved = fc.subarray([
    ['millrace-id', eventId],
    ['millrace-remote', '203.0.113.77'],
    ['millrace-signal', 'logs'],
    ['millrace-format-reason', 'batch'],
  ]);
  const format = fc.constantFrom(
    [],
    ['millrace-format', 'json'],
    ['millrace-format', 'form'],
    ['millrace-format', 'none'],
  );
  const types = [
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
  ];
  const type = fc.constantFrom([], ...types.map((one) => ['content-type', one]));
  fc.assert(
    fc.property(
      fc.uint8Array(),
      fc.tuple(fc.array(fc.tuple(names, text), { maxLength: 5 }), reserved, format, type),
      fc.nat(2 ** 40),
      (body, [own, marks, read, kind], timestamp) => {
        const headers = [...own, ...marks, read, kind].flat();
        const event = recordEvent({ body, headers, timestamp });
        expect(seen(eventOfLetter(letterOf(event)))).toEqual(seen(event));
      },
    ),
  );
});

test('a letter that is not all of the event is no event: it keeps the head, was not to be taken apart, or is of an earlier version', () => {
  const event = ingestedEvent({ body: '{"x":1}' });
  expect(eventOfLetter(letterOf(event, false))).toBeUndefined();
  const large = ingestedEvent({ body: Buffer.alloc(shortestDeadLetterLimit, 'x') });
  expect(eventOfLetter(letterOf(large))).toBeUndefined();
  const whole = letterOf(event);
  expect(eventOfLetter(whole)).toBeDefined();
  for (const headers of ['', '[]', '{"Millrace-Id":1}', '{"A":"b"}', '{'])
    expect(eventOfLetter({ ...whole, headers })).toBeUndefined();
  expect(eventOfLetter({ ...whole, event_id: 'another' })).toBeUndefined();
  expect(eventOfLetter({ ...whole, arrived_at: '' })).toBeUndefined();
});
