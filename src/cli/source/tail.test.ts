import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, it } from 'vitest';
import { builtEntry } from '../../../test/support/built-entry.ts';
import { runAnswered } from '../../../test/support/command-api.ts';
import { smallApi } from '../../../test/support/small-api.ts';

const path = '/v1/branches/default/sources/shop/events';

function event(offset: number, content: object) {
  return {
    eventId: `id-${offset}`,
    partition: 0,
    offset,
    arrivedAt: '2026-01-02T03:04:05.678Z',
    headers: {},
    bodySize: 3,
    ...content,
  };
}

const escape = String.fromCodePoint(0x1b);
const rightToLeft = String.fromCodePoint(0x202e);
const last = [
  event(1, { body: `{\n"a":"${escape}[2J${rightToLeft}"}`, bodySize: 16 }),
  event(2, { bodyBase64: '/wA=', bodySize: 2 }),
];

it('shows the last events, a line each, in which nothing moves a cursor', async () => {
  const { code, stdout } = await runAnswered(['source', 'tail', 'shop', '-n', '2', '--no-follow'], () => ({
    [`GET ${path}?limit=2`]: { body: { events: last, position: '1:3' } },
  }));
  expect(stdout).toBe(
    '2026-01-02T03:04:05.678Z  0/1  {\\n"a":"\\u001b[2J\\u202e"}\n' +
      '2026-01-02T03:04:05.678Z  0/2  (2 bytes that are no text; --json has them)\n',
  );
  expect(code).toBe(0);
});

it('as JSON shows an object a line, with nothing hidden in it', async () => {
  const { stdout } = await runAnswered(['source', 'tail', 'shop', '--no-follow', '--json'], () => ({
    [`GET ${path}?limit=10`]: { body: { events: last, position: '1:3' } },
  }));
  expect(stdout).toContain('\\u202e');
  expect(stdout).not.toContain(rightToLeft);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  ).toEqual(last);
});

it('goes on behind the last events until the process is gone', async () => {
  const { code, stdout, stderr, seen } = await runAnswered(['source', 'tail', 'shop'], () => ({
    [`GET ${path}?limit=10`]: { body: { events: [event(1, { body: 'one' })], position: '1:2' } },
    [`GET ${path}?limit=1000&position=1%3A2`]: { body: { events: [], position: '1:3' } },
    [`GET ${path}?limit=1000&position=1%3A3`]: {
      body: { events: [event(3, { body: 'two' })], position: '1:4', skipped: 2 },
    },
    [`GET ${path}?limit=1000&position=1%3A4`]: () => 'hang up',
  }));
  expect(stdout).toMatch(/ 0\/1 {2}one\n.* 0\/3 {2}two\n$/);
  expect(stderr).toContain('millrace: 2 events were removed by retention before they could be shown.\n');
  expect(seen).toHaveLength(4);
  expect(code).toBe(3);
});

it('ends with 130 at Ctrl-C, and says nothing', async () => {
  const asked = Promise.withResolvers<void>();
  await using api = await smallApi(() => ({
    [`GET ${path}?limit=10`]: { body: { events: [], position: '1:0' } },
    [`GET ${path}?limit=1000&position=1%3A0`]: () => {
      asked.resolve();
      return { body: { events: [], position: '1:0' } };
    },
  }));
  const { PATH = '' } = process.env;
  const env = { PATH, MILLRACE_URL: api.url, MILLRACE_TOKEN: 'root' };
  const child = spawn(process.execPath, [await builtEntry('main'), 'source', 'tail', 'shop'], { env });
  const [closed, stdout, stderr] = [once(child, 'close'), text(child.stdout), text(child.stderr)];
  await asked.promise;
  child.kill('SIGINT');
  expect(await closed).toEqual([130, null]);
  expect([await stdout, await stderr]).toEqual(['', '']);
});
