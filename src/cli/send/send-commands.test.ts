import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleSource as source, onePage as page, runAnswered } from '../../../test/support/command-api.ts';
import { runMillrace } from '../../../test/support/run-millrace.ts';
import type { Answers } from '../../../test/support/small-api.ts';

const S = '/v1/branches/default/sources';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-send-'));
});

afterAll(() => rm(folder, { recursive: true }));

/** The source with a URL that has the query of this request. */
function withQuery(one: ReturnType<typeof source>, at: string): ReturnType<typeof source> {
  return { ...one, http: { url: `${one.http.url}${/\?.*/.exec(at)?.[0] ?? ''}` } };
}

describe('send', () => {
  const events = '{"n":1}\n\n{"n":2}\r\n{"n":3}';

  const many = 'POST /stream/1/shop/secret?batch=lines';
  const one = 'POST /stream/1/shop/secret';

  it('sends the lines of one read together, byte for byte, and counts', async () => {
    const { code, stdout, stderr, seen } = await runAnswered(
      ['send', '-', '--header', 'X-Event: push'],
      (url) => ({ [`GET ${S}`]: { body: { page, sources: [source(url)] } }, [many]: { body: 'OK' } }),
      { stdin: `${events}\r\r\n` },
    );
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: '3 accepted, 0 refused, 0 without an answer\n',
      stderr: '',
    });
    const sent = seen.slice(1);
    // A carriage return that belongs to the event has a line end of its own behind it.
    expect(sent.map(({ body }) => body)).toEqual(['{"n":1}\n{"n":2}\n{"n":3}\r\r\n']);
    expect(sent[0]?.headers).toMatchObject({ 'content-type': 'application/json', 'x-event': 'push' });
  });

  it.each([
    ['--batch 1', one],
    ['--content-type text/plain', one],
    ['--to URL?batch=array', `${one}?batch=array`],
  ])('sends every line by itself with %s', async (option, at) => {
    const { stdout, seen } = await runAnswered(
      ['send', '-', '--concurrency', '1', ...option.split(' ').filter((word) => !/^--to|URL/.test(word))],
      (url) => ({
        [`GET ${S}`]: { body: { page, sources: [withQuery(source(url), at)] } },
        [at]: { body: 'OK' },
      }),
      { stdin: events },
    );
    expect(stdout).toBe('3 accepted, 0 refused, 0 without an answer\n');
    expect(seen.slice(1).map(({ body }) => body)).toEqual(['{"n":1}', '{"n":2}', '{"n":3}']);
  });

  it('D2: tells refused from unanswered, names the lines, and ends with 1', async () => {
    const file = join(folder, 'events.ndjson');
    await writeFile(file, `${events}\n{"n":4}\n`);
    const { code, stdout, stderr } = await runAnswered(
      ['send', file, '--json', '--concurrency', '1', '--batch', '2'],
      (url) => ({
        [`GET ${S}`]: { body: { page, sources: [source(url)] } },
        [many]: ({ body }) => {
          // One that is too large: the other of its request is sent by itself.
          if (body.includes('{"n":2}'))
            return { status: 413, body: { message: 'Request body size is over the maximum "1MB".' } };
          return body.includes('{"n":3}') ? 'hang up' : { body: 'OK' };
        },
      }),
    );
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({ accepted: 1, refused: 1, unanswered: 2 });
    expect(stderr).toContain(`${file}:3: refused with 413: Request body size is over the maximum "1MB".\n`);
    expect(stderr).toContain(`${file}:4 to ${file}:5 (2 events): no answer, it may have been accepted or not`);
  });

  it('D1: sends again what was certainly not stored; what may have been only with --retry', async () => {
    const answersWith =
      (stored: string) =>
      (url: string): Answers => ({
        [`GET ${S}/shop`]: { body: source(url) },
        [many]: [
          { status: 503, headers: { 'Retry-After': '0' }, body: { error: 'stream.in.logUnavailable', stored } },
          { body: 'OK' },
        ],
      });
    const sure = await runAnswered(['send', '-', '--source', 'shop'], answersWith('no'), { stdin: `${events}\n` });
    const unsure = await runAnswered(['send', '-', '--source', 'shop'], answersWith('maybe'), { stdin: `${events}\n` });
    const again = await runAnswered(['send', '-', '--source', 'shop', '--retry'], answersWith('maybe'), {
      stdin: `${events}\n`,
    });
    expect([sure.code, unsure.code, again.code]).toEqual([0, 1, 0]);
    expect(unsure.stdout).toBe('0 accepted, 0 refused, 3 without an answer\n');
    expect(again.stdout).toBe('3 accepted, 0 refused, 0 without an answer\n');
  });

  it('--whole makes one event of a file', async () => {
    const file = join(folder, 'event.json');
    await writeFile(file, '{\n  "n": 1\n}\n');
    const { seen } = await runAnswered(['send', '--whole', file], (url) => ({
      [`GET ${S}`]: { body: { page, sources: [source(url)] } },
      [one]: { body: 'OK' },
    }));
    expect(seen.at(-1)?.body).toBe('{\n  "n": 1\n}\n');
  });

  it('ends with 3 when nothing listens at the URL, and with 2 when a file is not there', async () => {
    const [gone, absent, source] = await Promise.all([
      runMillrace(['send', '-', '--to', 'http://127.0.0.1:1/stream/1/shop/x'], { stdin: events, cwd: folder }),
      runMillrace(['send', 'nothing.ndjson', '--to', 'http://127.0.0.1:1/'], { cwd: folder }),
      runMillrace(['send', 'shop', 'events.ndjson', '--to', 'http://127.0.0.1:1/'], { cwd: folder }),
    ]);
    expect([gone.code, absent.code, source.code]).toEqual([3, 2, 2]);
    expect(absent.stderr).toBe('millrace: The file nothing.ndjson cannot be read: there is no such file.\n');
    expect(source.stderr).toContain('If it is the id of a source, write --source shop.');
  });
});
