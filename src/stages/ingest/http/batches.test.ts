import { describe, expect, test } from 'vitest';
import type { BranchId, SourceId } from '../../../core/ids.ts';
import { turnBytes } from '../accept/placement.ts';
import { headerOf, startIngest, testSource, type IngestHarness } from '../../../../test/support/ingest-harness.ts';

const json = 'application/json';
const ndjson = 'application/x-ndjson; charset=utf-8';

interface Sent {
  readonly body: string;
  readonly query?: string;
  readonly type?: string;
}

async function send(ingest: IngestHarness, { body, query = '', type = json }: Sent): Promise<Response> {
  const url = `${ingest.url}${ingest.path}${query}`;
  return fetch(url, { method: 'POST', body, headers: { 'content-type': type } });
}

function bodies(ingest: IngestHarness, topic?: string): readonly string[] {
  return ingest.records(topic).map(({ value }) => Buffer.from(value).toString());
}

describe('A27: a request', () => {
  test.each([
    ['off', '', json, '[1,2]', ['[1,2]']],
    ['off', '', ndjson, 'a\n\nb\r\n', ['a', 'b']],
    ['array', '', ndjson, '1\n2', ['1', '2']],
    ['off', '?batch=lines', 'text/plain', 'a\nb', ['a', 'b']],
    ['lines', '?batch=array', json, '[ {"a": 1.0} ,2]', ['{"a": 1.0}', '2']],
    ['array', '?batch=off', json, '[1]', ['[1]']],
    ['lines', '', json, 'a\nb', ['a', 'b']],
    ['array', '', json, '[]', []],
    ['auto', '', json, '[1,2]', ['1', '2']],
    ['auto', '', json, '{"a":1}', ['{"a":1}']],
    ['off', '?batch=path:batch', json, '{"batch":[{"a": 1},{}],"context":{}}', ['{"a": 1}', '{}']],
    ['lines', '?batch=path:a[0].b', 'text/plain', '{"a":[{"b":[]}]}', []],
    ['off', '?batch=path:batch', ndjson, '1\n2', ['1', '2']],
  ] as const)('to a source with batch %s%s, %s, %s becomes %j', async (...row) => {
    const [batch, query, type, body, expected] = row;
    await using ingest = await startIngest([testSource({ batch })]);
    expect((await send(ingest, { body, query, type })).status).toBe(200);
    expect(bodies(ingest)).toEqual(expected);
  });

  test('A37: split events count as JSON whatever the Content-Type, others do not', async () => {
    await using ingest = await startIngest([testSource({ batch: 'auto' })]);
    await send(ingest, { body: '[1]', type: 'text/plain' });
    await send(ingest, { body: 'x', type: 'text/plain' });
    expect(ingest.records().map((record) => headerOf(record, 'millrace-format'))).toEqual(['json', undefined]);
    expect(headerOf(ingest.records()[0]!, 'millrace-format-reason')).toBe('batch');
    expect(headerOf(ingest.records()[0]!, 'content-type')).toBe('text/plain');
  });

  test('A46: an event that is no batch keeps what its Content-Type says, unless it is one JSON text', async () => {
    const types = ['application/x-www-form-urlencoded', 'Text/Plain; charset=utf-8', 'application/json', 'text/csv'];
    const bodies = [' {"a":"x;y"}\n', '[1]', '{"a":1', '"a"', '1', 'a=1', '{} {}', ''];
    const formats = async (contentType: 'auto' | 'header') => {
      await using ingest = await startIngest([testSource({ contentType })]);
      for (const type of types) for (const body of bodies) await send(ingest, { body, type });
      return ingest
        .records()
        .map((record) => [headerOf(record, 'millrace-format'), headerOf(record, 'millrace-format-reason')].join(' '));
    };
    const read = ['json body', 'json body', ' ', ' ', ' ', ' ', ' ', ' '];
    const plain = bodies.map(() => ' ');
    expect(await formats('auto')).toEqual([...read, ...read, ...plain, ...plain]);
    expect(await formats('header')).toEqual(types.flatMap(() => plain));
  });

  test('A39: goes whole to one partition, each event with its own id', async () => {
    await using ingest = await startIngest([testSource({ partitions: 2 })]);
    // So large that the next request goes to the other one.
    const answer = await send(ingest, { body: `a\nb\n${'c'.repeat(turnBytes)}`, type: ndjson, query: '?verbose=true' });
    await send(ingest, { body: 'd\ne', type: ndjson });
    const ids = ingest.records('source.1.orders', 0).map((record) => headerOf(record, 'millrace-id'));
    expect(await answer.json()).toMatchObject({ sources: [{ message: 'stored', events: ids.map((id) => ({ id })) }] });
    expect(new Set(ids).size).toBe(3);
    expect(ingest.records('source.1.orders', 1)).toHaveLength(2);
    expect(ingest.told).toEqual([`stored orders 3 ${turnBytes + 2}`, 'stored orders 2 2']);
  });

  test.each([
    [
      '?batch=array',
      '[1,x]',
      400,
      'Element 1 of the JSON array is not valid JSON: unexpected byte at 3. Nothing was stored.',
    ],
    [
      '?batch=lines',
      '1\n'.repeat(10_001),
      413,
      'The request holds more than 10000 events. Nothing was stored. Send smaller batches.',
    ],
    [
      '?batch=some',
      '[1]',
      400,
      'Invalid query parameter "batch" value "some": must be one of "off", "lines", "array", "auto", "path:PATH".',
    ],
    [
      '?batch=path:batch',
      '{"batch":[1,2}',
      400,
      'The body is not valid JSON: unexpected byte at 13. Nothing was stored.',
    ],
    ['?batch=path:a.b', '{"a":[1]}', 400, 'The path "a.b" of "batch" is not in the body. Nothing was stored.'],
    [
      '?batch=path:a',
      '{"a":{"b":[1]}}',
      400,
      'The path "a" of "batch" leads to something else than a JSON array. Nothing was stored.',
    ],
    [
      '?batch=path:a..b',
      '[]',
      400,
      'Invalid query parameter "batch" value "path:a..b": invalid path at position 3: a key must not be empty here (write [""] for the key without characters).',
    ],
    [
      '?batch=path:',
      '[]',
      400,
      'Invalid query parameter "batch" value "path:": must name a path, for example "path:batch"; the whole body is "array".',
    ],
    [
      '?batch=path:a',
      `{"a":[${'1,'.repeat(10_000)}1]}`,
      413,
      'The request holds more than 10000 events. Nothing was stored. Send smaller batches.',
    ],
  ])('D9: with %s that cannot be split stores nothing', async (...row) => {
    const [query, body, status, message] = row;
    await using ingest = await startIngest();
    const answer = await send(ingest, { body, query });
    expect(answer.status).toBe(status);
    expect(await answer.json()).toMatchObject({ statusCode: status, message });
    expect(ingest.records()).toEqual([]);
  });

  test('is parsed for all sources before anything is stored for one', async () => {
    const key = { branchId: 2 as BranchId, sourceId: 'orders' as SourceId };
    await using ingest = await startIngest([
      testSource(),
      testSource({ key, topic: 'source.2.orders', batch: 'array' }),
    ]);
    expect((await send(ingest, { body: '[1,' })).status).toBe(400);
    expect([...ingest.records(), ...ingest.records('source.2.orders')]).toEqual([]);
    expect((await send(ingest, { body: '[1,2]' })).status).toBe(200);
    expect([bodies(ingest), bodies(ingest, 'source.2.orders')]).toEqual([['[1,2]'], ['1', '2']]);
  });

  test('D8: whose events would take more memory than there is at all gets 413', async () => {
    await using ingest = await startIngest([testSource()], { maxBufferedBytes: 100_000 });
    expect((await send(ingest, { body: '1\n'.repeat(1000), type: ndjson })).status).toBe(413);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  });

  test('D8: whose headers would be stored too many times gets 413, and nothing is made of it', async () => {
    await using ingest = await startIngest();
    const headers = { 'content-type': ndjson, 'x-long': 'x'.repeat(15_000) };
    const answers = Array.from({ length: 20 }, async () =>
      fetch(ingest.url + ingest.path, { method: 'POST', body: '1\n'.repeat(10_000), headers }),
    );
    for (const answer of await Promise.all(answers)) {
      expect([answer.status, await answer.json()]).toMatchObject([413, { error: 'stream.in.payloadTooLarge' }]);
    }
    expect(ingest.records()).toEqual([]);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
    const few = await fetch(ingest.url + ingest.path, { method: 'POST', body: '1\n'.repeat(1000), headers });
    expect([few.status, ingest.records().length]).toEqual([200, 1000]);
  });

  test('D8: of ten thousand events is split in turns: one that comes later is stored before it', async () => {
    await using ingest = await startIngest();
    using large = await ingest.connect();
    using small = await ingest.connect();
    const head = (length: number): string =>
      `POST ${ingest.path}?batch=lines HTTP/1.1\r\nHost: h\r\nContent-Length: ${length}\r\n\r\n`;
    void large.send(head(20_000) + '1\n'.repeat(10_000));
    void small.send(`${head(5)}small`);
    expect([(await small.answer())?.status, (await large.answer())?.status]).toEqual([200, 200]);
    expect(ingest.records()).toHaveLength(10_001);
    expect(bodies(ingest)[0]).toBe('small');
  });
});
