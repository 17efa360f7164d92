import { Buffer } from 'node:buffer';
import { describe, expect, test } from 'vitest';
import { arrivedAt, eventId, ingestedEvent, recordEvent } from '../../test/support/mapping-fixture.ts';
import { eventOfRecord } from './event-of-record.ts';

const derived = /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('an event of a record', () => {
  test('has the id, the address, the signal and the time that ingest wrote', () => {
    const event = ingestedEvent({ headers: ['millrace-signal', 'traces'] });
    expect(event).toMatchObject({ id: eventId, remoteAddress: '203.0.113.77', signal: 'traces', arrivedAt });
  });

  test('of a producer has an id made of its place, the same each time and for no other place', () => {
    const at = { topic: 't', partition: 1, offset: 5 };
    const record = { value: Buffer.from('{}'), headers: ['x', 'y'], timestamp: 1 };
    const { id } = eventOfRecord(record, at);
    expect(id).toMatch(derived);
    expect(eventOfRecord(record, { ...at }).id).toBe(id);
    for (const other of [{ topic: 't1' }, { partition: 5 }, { offset: 1 }]) {
      expect(eventOfRecord(record, { ...at, ...other }).id).not.toBe(id);
    }
  });

  test('whose producer set an id that is no UUID gets one made of its place', () => {
    expect(recordEvent({ headers: ['millrace-id', 'mine'] }).id).toMatch(derived);
    expect(recordEvent({ headers: ['millrace-id', eventId] }).id).toBe(eventId);
  });

  test('of a producer has no address and no signal', () => {
    expect(recordEvent({ headers: ['millrace-signal', 'sounds'] })).toMatchObject({
      remoteAddress: '',
      signal: undefined,
    });
  });

  test('reads its headers only when they are needed', () => {
    let reads = 0;
    const record = {
      value: Buffer.from('{}'),
      timestamp: 1,
      get headers() {
        reads++;
        return ['a', 'b'];
      },
    };
    const event = eventOfRecord(record, { topic: 't', partition: 0, offset: 0 });
    expect([event.arrivedAt, event.body.length, event.isBodyUtf8, reads]).toEqual([1, 2, true, 0]);
    expect(event.headers).toEqual(['a', 'b']);
  });
});

describe('the format of a body', () => {
  test.each<[string | undefined, string]>([
    ['application/json', 'json'],
    ['Application/JSON; charset=utf-8', 'json'],
    [' application/json ;a=b', 'json'],
    ['application/vnd.api+json', 'json'],
    ['application/cloudevents+json;charset=UTF-8', 'json'],
    ['APPLICATION/X-WWW-FORM-URLENCODED', 'form'],
    ['application/x-www-form-urlencoded; charset=x', 'form'],
    ['application/jsonp', 'unsupported'],
    ['application/+json', 'unsupported'],
    ['text/json', 'unsupported'],
    ['Multipart/Form-Data; boundary=x', 'multipart'],
    ['multipart/mixed; boundary=x', 'unsupported'],
    [undefined, 'unsupported'],
  ])('of content type %s is %s', (type, kind) => {
    expect(ingestedEvent({ type }).format.kind).toBe(kind);
  });

  test.each(['json', 'form', 'none'])('decided at ingest as %s wins over the content type', (decided) => {
    const event = ingestedEvent({ type: 'application/json', headers: ['millrace-format', decided] });
    expect(event.format.kind).toBe(decided === 'none' ? 'unsupported' : decided);
  });

  test.each<[string | undefined, readonly string[], string]>([
    ['application/json', [], 'read as JSON, as its Content-Type says'],
    ['application/x-www-form-urlencoded', [], 'read as a form, as its Content-Type says'],
    ['multipart/form-data; boundary=x', [], 'read as a form of several parts, as its Content-Type says'],
    ['text/plain', ['json', 'batch'], 'read as JSON, as each event of a batch is'],
    ['text/plain', ['json', 'body'], 'read as JSON, as it is one JSON text ("ingest.contentType" is "auto")'],
    [undefined, ['form', 'default'], 'read as a form, as "ingest.defaultContentType" of its source says'],
    [undefined, ['json'], 'read as JSON, as was decided when it arrived'],
    [undefined, ['json', 'of a later release'], 'read as JSON, as was decided when it arrived'],
  ])('A46: of content type %s and marks %j is told as it is', (type, marks, told) => {
    const names = ['millrace-format', 'millrace-format-reason'];
    const headers = marks.flatMap((mark, at) => [names[at] ?? '', mark]);
    expect(ingestedEvent({ type, headers }).howRead).toBe(told);
  });

  test('A46: of a producer is told as it is', () => {
    const producers = 'read as JSON, as records of Kafka producers without a Content-Type are';
    expect(recordEvent({}).howRead).toBe(producers);
    const place = { topic: 't', partition: 0, offset: 0 };
    const decoded = eventOfRecord({ value: Buffer.of(1), headers: [], timestamp: 0 }, place, {
      json: Buffer.from('{}'),
    });
    expect(decoded.howRead).toBe('read as JSON, as a schema decoded it');
  });

  test('of a producer is JSON unless its content type says otherwise', () => {
    expect(recordEvent({}).format.kind).toBe('json');
    expect(recordEvent({ headers: ['Content-Type', 'application/x-www-form-urlencoded'] }).format.kind).toBe('form');
    expect(recordEvent({ headers: ['content-type', 'avro/binary'] }).format).toEqual({
      kind: 'unsupported',
      contentType: 'avro/binary',
    });
  });
});
