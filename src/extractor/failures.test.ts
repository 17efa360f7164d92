import { describe, expect, it } from 'vitest';
import { Answer, configurationOf, extract, PlainHttpClient, SleepingClock } from '../../test/support/extraction.ts';
import { MemorySpool } from '../../test/support/memory-spool.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { NoAnswer, OpenHttpClient } from '../ports/http-client.ts';
import type { Spool } from './tables/spool.ts';
import { ExtractorError } from './values/extractor-error.ts';
import type { JsonObject, JsonValue } from './values/json-value.ts';

const users = { jobs: [{ endpoint: 'users' }] };
const failing = (status: number, headers: Readonly<Record<string, string>> = {}): Answer =>
  new Answer(status, 'no', headers);
const good: JsonValue = [{ id: 1 }];

describe('1.4: retries', () => {
  it.each([500, 502, 503, 504, 408, 420, 429])('%i is tried again, after 1 s, 2 s, 4 s', async (status) => {
    const answers = [failing(status), failing(status), failing(status), good];
    const { asked, slept, tables, log } = await extract(configurationOf({}, users), answers);
    expect(asked).toHaveLength(4);
    expect(slept).toEqual([1000, 2000, 4000]);
    expect(tables).toEqual({ users: [['id'], ['1']] });
    expect(log).toContain('debug: Http request failed, retrying in 1.0 seconds [1x].');
    expect(log).toContain('debug: Http request failed, retrying in 4.0 seconds [3x].');
  });

  it('ten times at most, and then the failure counts', async () => {
    const { asked, failure, error } = await extract(configurationOf({}, users), () => failing(503));
    expect(asked).toHaveLength(11);
    expect(failure).toBe(
      'The API request failed: [503] Server error: `GET http://api/users` resulted in a `503 Service Unavailable` response:\nno',
    );
    expect(error).toBeInstanceOf(ExtractorError);
  });

  it.each([400, 401, 404, 501])('%i fails at once', async (status) => {
    const { asked, failure } = await extract(configurationOf({}, users), () => failing(status));
    expect(asked).toHaveLength(1);
    expect(failure).toMatch(new RegExp(`^The API request failed: \\[${status}\\] `));
  });

  it('the start of the body is told, not all of it', async () => {
    const { failure } = await extract(configurationOf({}, users), [new Answer(400, 'x'.repeat(500))]);
    expect(failure?.endsWith(`\n${'x'.repeat(120)} (truncated...)`)).toBe(true);
  });

  it.each<[string, JsonObject, number]>([
    ['maxRetries 0', { maxRetries: 0 }, 1],
    ['maxRetries 2', { maxRetries: '2' }, 3],
    ['other codes', { http: { codes: [404] } }, 1],
    ['codes by their old name', { httpCodes: [500], maxRetries: 1 }, 2],
  ])('%s', async (_title, retryConfig, tries) => {
    const { asked } = await extract(configurationOf({ retryConfig }, users), () => failing(500));
    expect(asked).toHaveLength(tries);
  });

  it('a listed code is tried again also when it is no failure, and is a page after the last try', async () => {
    const retryConfig = { maxRetries: 1, http: { codes: [202] } };
    const { asked, tables } = await extract(
      configurationOf({ retryConfig }, users),
      () => new Answer(202, '[{"id":1}]'),
    );
    expect(asked).toHaveLength(2);
    expect(tables).toEqual({ users: [['id'], ['1']] });
  });

  it.each<[string, JsonObject, Readonly<Record<string, string>>]>([
    ['Retry-After', {}, { 'Retry-After': '7' }],
    ['another header', { http: { retryHeader: 'X-Wait' } }, { 'x-wait': '7' }],
    ['a Unix time', {}, { 'retry-after': String(Date.UTC(2024, 5, 1) / 1000 + 7) }],
    ['a date', {}, { 'retry-after': 'Sat, 01 Jun 2024 00:00:07 GMT' }],
  ])('the wait is never below what the answer asks for: %s', async (_title, retryConfig, headers) => {
    const { slept } = await extract(configurationOf({ retryConfig }, users), [failing(429, headers), good]);
    expect(slept).toEqual([7000 * 1.25]);
  });

  it('an abort ends a wait at once, with its reason', async () => {
    const leaving = new AbortController();
    const clock = new SleepingClock();
    clock.sleep = async (_ms, { signal }) => {
      leaving.abort(new Error('leave'));
      signal.throwIfAborted();
    };
    const { error, asked } = await extract(configurationOf({}, users), () => failing(500), {
      clock,
      signal: leaving.signal,
    });
    expect([error, asked.length]).toEqual([new Error('leave'), 1]);
  });
});

describe('the next page', () => {
  const pages = configurationOf({ pagination: { method: 'pagenum' } }, users);

  /** What was done, in its order: `send` and `append`. */
  const watched = (steps: string[]): { readonly spool: Spool; readonly openHttp: OpenHttpClient } => {
    const spool = new MemorySpool();
    const append = spool.append.bind(spool);
    spool.append = (name, piece) => {
      steps.push('append');
      append(name, piece);
    };
    return {
      spool,
      openHttp: () => {
        const http = new PlainHttpClient();
        const send = http.send.bind(http);
        http.send = (request, waiting) => {
          steps.push('send');
          return send(request, waiting);
        };
        return http;
      },
    };
  };

  it('is asked for while the rows of the one before are written', async () => {
    const steps: string[] = [];
    const answers: JsonValue[] = [[{ id: 1 }], [{ id: 2 }], []];
    const { tables } = await extract(pages, answers, watched(steps));
    expect(tables).toEqual({ users: [['id'], ['1'], ['2']] });
    const turns = steps.filter((step, at) => step !== steps[at - 1]);
    expect(turns).toEqual(['send', 'append', 'send', 'append']);
    expect(steps.slice(0, 2)).toEqual(['send', 'send']);
  });

  it('that fails says so behind the rows of the one before', async () => {
    const replies = (_: unknown, at: number): JsonValue | Answer => (at === 0 ? [{ id: at }] : failing(404));
    expect((await extract(pages, replies)).failure).toMatch(/^The API request failed: \[404\]/);
    const full: Spool = { read: async function* () {}, append: () => Promise.reject(new Error('the disk is full')) };
    expect((await extract(pages, replies, { spool: full })).error).toEqual(new Error('the disk is full'));
  });

  it('is not asked for behind one that does not go with those before', async () => {
    const answers: JsonValue[] = [[{ a: 1 }], [{ a: { b: 1 } }], []];
    const steps: string[] = [];
    const { failure } = await extract(pages, answers, watched(steps));
    expect(failure).toMatch(/Unhandled nodeType change from "scalar" to "object"/);
    expect(steps.filter((step) => step === 'send')).toHaveLength(2);
  });
});

describe('an abort', () => {
  it('an abort ends what is written behind the last answer, too', async () => {
    const leaving = new AbortController();
    const spool = new MemorySpool();
    const append = spool.append.bind(spool);
    const again: string[] = [];
    spool.append = (name, piece) => {
      append(name, piece);
      // Rows are written once more where the last page makes an array of what was none.
      if (!name.startsWith('0.again.')) return;
      again.push(name);
      leaving.abort(new Error('leave'));
    };
    const items = [
      { id: 1, tags: 'a' },
      { id: 2, tags: ['a'] },
    ];
    const { error } = await extract(configurationOf({}, users), [items], { spool, signal: leaving.signal });
    expect(error).toEqual(new Error('leave'));
    expect(again).toHaveLength(1);
  });

  it('a text that an API has made long is cut', async () => {
    const names = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`a${at}`, []]));
    const { failure } = await extract(configurationOf({}, users), [names]);
    expect(failure).toHaveLength(4001);
  });
});

describe('1.4: no answer', () => {
  /** Fails with these one after the other, and then answers. */
  const failingWith = (...failures: readonly MillraceError[]): OpenHttpClient => {
    const left = [...failures];
    return () => {
      const http = new PlainHttpClient();
      const send = http.send.bind(http);
      http.send = (request, waiting) => {
        const failure = left.shift();
        return failure === undefined ? send(request, waiting) : Promise.reject(failure);
      };
      return http;
    };
  };
  const noAnswer = (why: NoAnswer): MillraceError =>
    new MillraceError('http.noAnswer', 'so it is', { details: { why } });

  it.each<[NoAnswer, number]>([
    ['unresolved', 6],
    ['unconnected', 7],
    ['timeout', 28],
    ['tls', 35],
    ['empty', 52],
    ['broken', 56],
  ])('%s is tried again, and ends the job as error %i of curl', async (why, number) => {
    const again = await extract(configurationOf({}, users), [good], { openHttp: failingWith(noAnswer(why)) });
    expect([again.slept, again.failure]).toEqual([[1000], undefined]);
    const retryConfig = { curl: { codes: [99] } };
    const last = await extract(configurationOf({ retryConfig }, users), [good], {
      openHttp: failingWith(noAnswer(why)),
    });
    expect([last.slept, last.failure]).toEqual([[], `CURL error ${number}: so it is`]);
    expect(last.error).toBeInstanceOf(ExtractorError);
  });

  it('a certificate that is not trusted is not tried again', async () => {
    const { slept, failure } = await extract(configurationOf({}, users), [], {
      openHttp: failingWith(noAnswer('untrusted')),
    });
    expect([slept, failure]).toEqual([[], 'CURL error 60: so it is']);
  });

  it('failures and statuses count as tries together', async () => {
    const retryConfig = { maxRetries: 2 };
    const openHttp = failingWith(noAnswer('timeout'), noAnswer('timeout'));
    const { failure, slept } = await extract(configurationOf({ retryConfig }, users), [failing(500)], { openHttp });
    expect(slept).toEqual([1000, 2000]);
    expect(failure).toMatch(/^The API request failed: \[500\]/);
  });

  it.each(['http.refused', 'http.tooLarge'] as const)('%s ends the job in its words', async (code) => {
    const openHttp = failingWith(new MillraceError(code, 'it may not be'));
    const { failure, error } = await extract(configurationOf({}, users), [], { openHttp });
    expect([failure, error instanceof ExtractorError]).toEqual(['The API request failed: it may not be', true]);
  });

  it('what is a fault of the product stays one', async () => {
    const fault = new MillraceError('internal.bug', 'so');
    expect((await extract(configurationOf({}, users), [], { openHttp: failingWith(fault) })).error).toBe(fault);
  });

  it('a certificate that cannot be read is told like other mistakes of a configuration', async () => {
    const openHttp = (): never => {
      throw new MillraceError('input.invalid', 'no certificate');
    };
    const { failure, error } = await extract(configurationOf({}, users), [], { openHttp });
    expect([failure, error instanceof ExtractorError]).toEqual(['no certificate', true]);
  });
});

describe('1.4: ignoreErrors', () => {
  const ignoring = (job: JsonObject = {}): JsonObject =>
    configurationOf(
      { http: { ignoreErrors: [404, '500'] }, retryConfig: { maxRetries: 1 } },
      { jobs: [{ endpoint: 'users', ...job }] },
    );

  it('a JSON body is a page like others, after the tries that its status has', async () => {
    const { asked, tables, log } = await extract(ignoring(), () => new Answer(500, '[{"id":1}]'));
    expect(asked).toHaveLength(2);
    expect(tables).toEqual({ users: [['id'], ['1']] });
    expect(log.some((line) => line.startsWith('warning: Failed to get response Server error: `GET'))).toBe(true);
  });

  it('132: another body is a row with the column errorData', async () => {
    const { tables, log } = await extract(ignoring({ dataField: '.' }), () => new Answer(404, 'not found'));
    expect(tables).toEqual({ users: [['errorData'], ['not found']] });
    expect(log).toContain(
      'warning: Failed to parse response Invalid JSON response from API: JSON decode error: Syntax error, malformed JSON',
    );
  });

  it('other statuses fail', async () => {
    const { failure } = await extract(ignoring(), () => failing(403));
    expect(failure).toMatch(/^The API request failed: \[403\]/);
  });
});

describe('1.5: answers', () => {
  it.each<[string, string, string]>([
    ['no JSON', '{"a":', 'Invalid JSON response from API: JSON decode error: Syntax error, malformed JSON'],
    ['an empty body', '', 'Invalid JSON response from API: JSON decode error: Syntax error, malformed JSON'],
    [
      'nesting without an end',
      '['.repeat(100_000) + ']'.repeat(100_000),
      'Invalid JSON response from API: JSON decode error: Maximum stack depth exceeded',
    ],
    ['a number', '5', 'Unknown response from API.'],
    ['null', 'null', 'Unknown response from API.'],
    [
      'several arrays',
      '{"a":[],"b":[1],"c":1}',
      "More than one array found in response! Use 'dataField' parameter to specify a key to the data array. (endpoint: users, arrays in response root: a, b)",
    ],
  ])('%s ends the job', async (_title, text, failure) => {
    expect((await extract(configurationOf({}, users), [new Answer(200, text)])).failure).toBe(failure);
  });

  it('an object without an array has no items, and a warning', async () => {
    const { tables, log } = await extract(configurationOf({}, users), [{ a: 1 }]);
    expect(tables).toEqual({});
    expect(log).toContain('warning: No data array found in response! (endpoint: users)');
  });

  it.each<[string, JsonValue, readonly (readonly string[])[]]>([
    ['a non-empty array', [{ a: 1 }, { a: 2 }], [['a'], ['1'], ['2']]],
    ['a scalar', 'x', [['data'], ['x']]],
    ['an object', { a: 1 }, [['a'], ['1']]],
  ])('with dataField, %s is items', async (_title, value, table) => {
    const config = { jobs: [{ endpoint: 'users', dataField: 'x.y' }] };
    expect((await extract(configurationOf({}, config), [{ x: { y: value }, z: [] }])).tables).toEqual({ users: table });
  });

  it.each<JsonValue>([null, [], 0, false, '', '0'])('with dataField, %j is a warning and no items', async (value) => {
    const config = { jobs: [{ endpoint: 'users', dataField: 'x' }] };
    const { tables, log, failure } = await extract(configurationOf({}, config), [{ x: value }]);
    expect([tables, failure]).toEqual([{}, undefined]);
    expect(log).toContain("warning: dataField 'x' contains no data! Expected a non-empty array.");
  });

  it('E2: integers keep their digits', async () => {
    const { tables } = await extract(configurationOf({}, users), [
      new Answer(200, '[{"id":12345678901234567890,"f":2.0}]'),
    ]);
    expect(tables['users']?.[1]).toEqual(['12345678901234567890', '2']);
  });
});

describe('E2: a number that no double holds', () => {
  it.each(['[{"a":1e400}]', '[{"a":[-1e400]}]', '[[[1e400]]]'])('ends the job: %s', async (body) => {
    const { failure } = await extract(configurationOf({}, users), [new Answer(200, body)]);
    expect(failure).toBe('Error parsing response JSON: A number is beyond the range of a double (1.8e308).');
  });
});

describe('E6: caps of a run', () => {
  const endless = configurationOf({ pagination: { method: 'pagenum' } }, users);
  const limits = { pages: 1000, rows: 1000, bytes: 1_000_000, durationMs: 60_000 };

  it.each<[string, object, string]>([
    ['pages', { pages: 3 }, '3 pages'],
    ['rows', { rows: 7 }, '7 rows'],
    ['bytes', { bytes: 100 }, '100 bytes'],
    ['time', { durationMs: 2000 }, '2 seconds'],
  ])('%s', async (_title, less, what) => {
    const clock = new SleepingClock();
    const { failure, error } = await extract(
      endless,
      (_asked, at) => {
        clock.pass(700);
        return [{ id: at }, { id: -at }];
      },
      { limits: { ...limits, ...less }, clock },
    );
    expect(failure).toBe(
      `The job needs more than ${what}, which is the limit of one run. Make it smaller, for example by 'pagination.forceStop' or a filter of the API, or ask the operator for more.`,
    );
    expect(error).toBeInstanceOf(ExtractorError);
  });

  it('a wait that the answer asks for beyond the time ends the job without it', async () => {
    const { failure, slept } = await extract(endless, () => failing(429, { 'retry-after': '3600' }), { limits });
    expect(failure).toMatch(/^The job needs more than 60 seconds/);
    expect(slept).toEqual([]);
  });

  it('progress is told behind each page, and in the end', async () => {
    const { progress, extraction } = await extract(endless, (_asked, at) => (at < 2 ? [at, at + 1] : []));
    expect(progress).toEqual([
      { pages: 1, rows: 2, bytes: 5 },
      { pages: 2, rows: 4, bytes: 10 },
      { pages: 3, rows: 4, bytes: 12 },
    ]);
    expect(extraction).toMatchObject({ pages: 3, rows: 4, bytes: 12 });
  });

  it('the client is closed however the run ends, and an abort before it asks nothing', async () => {
    const http = new PlainHttpClient();
    const signal = AbortSignal.abort(new Error('leave'));
    const { error, asked } = await extract(endless, () => [], { signal, openHttp: () => http });
    expect([error, asked]).toEqual([new Error('leave'), []]);
    await extract(endless, () => failing(400), { openHttp: () => http });
    expect(http.isClosed).toBe(true);
  });
});
