import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  rootToken,
  serveAdmin,
  startAdmin,
  type AdminHarness,
  type ServedAdmin,
} from '../../test/support/admin-harness.ts';
import { Api } from '../../test/support/api.ts';
import { forwardedHeader } from './http/forward.ts';

const S = '/v1/branches/default/sources';

let first: AdminHarness;
let second: ServedAdmin;

beforeEach(async () => {
  first = await startAdmin((dependencies) => ({
    ...dependencies,
    config: { ...dependencies.config, handoverMs: 500 },
  }));
  const { config } = first.dependencies;
  second = await serveAdmin({ ...first.dependencies, config: { ...config, owner: 'second' } });
});

afterEach(async () => {
  await second.end();
  await first[Symbol.asyncDispose]();
});

/** Base addresses: of the process that changes things, and of the other one. */
async function seats(): Promise<{ readonly active: string; readonly passive: string }> {
  const { catalog } = first.dependencies;
  const found = await catalog.get('meta', 'admin', { signal: new AbortController().signal });
  const { url } = (found?.value ?? { url: '' }) as { readonly url: string };
  return { active: url, passive: url === second.base ? first.base : second.base };
}

/** Passive as soon as nobody takes the seat from the one that has it: the group may have moved it when the second one came. */
async function settled(): Promise<{ readonly active: string; readonly passive: string }> {
  await expect
    .poll(
      async () =>
        (await send((await seats()).active, `POST ${S}`, { headers: { [forwardedHeader]: 'test' } })).statusCode,
      {
        interval: 20,
      },
    )
    .toBe(400);
  return seats();
}

interface Sent {
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
}

function send(base: string, line: string, { headers = {}, body }: Sent = {}): Promise<IncomingMessage> {
  const [method, path] = line.split(' ');
  return new Promise((resolve, reject) => {
    const all = { 'X-StorageApi-Token': rootToken, ...headers };
    request(`${base}${path ?? ''}`, { method, headers: all, agent: false }, resolve)
      .on('error', reject)
      .end(body);
  });
}

test('what one process is asked to change the other one changes, and both show it and its task', async () => {
  const { active, passive } = await settled();
  const [a, p] = [new Api(active, rootToken), new Api(passive, rootToken)];
  const { taskId } = (await p.task('POST', S, { type: 'http', name: 's' })) as { readonly taskId: string };
  for (const api of [a, p]) {
    expect(await api.call('GET', `/v1/tasks/${taskId}`)).toMatchObject({ status: 'success' });
    expect(await api.call('GET', `${S}/s`)).toMatchObject({ sourceId: 's' });
  }
  expect((await p.request('POST', S, { type: 'http', name: 's' })).status).toBe(409);
});

test('refusals of the other process come back as they are, with the headers that belong to them', async () => {
  const { passive } = await settled();
  const wrong = await send(passive, `POST ${S}`, {
    headers: { 'Content-Type': 'text/plain', Origin: 'https://app.test' },
    body: Buffer.from('x'),
  });
  expect(wrong.statusCode).toBe(415);
  expect(wrong.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'access-control-allow-origin': 'https://app.test',
  });
  expect(JSON.parse(await text(wrong))).toMatchObject({ error: 'stream.api.unsupportedMediaType' });
  const json = { 'Content-Type': 'application/json' };
  const large = await send(passive, `POST ${S}`, { headers: json, body: Buffer.alloc(9 * 1024 * 1024, 0x20) });
  expect(large.statusCode).toBe(413);
  large.resume();
  const source = Buffer.from(JSON.stringify({ type: 'http', name: 'x' }));
  const unknown = await send(passive, `POST ${S}`, { headers: { ...json, 'X-StorageApi-Token': 'x' }, body: source });
  expect(unknown.statusCode).toBe(401);
  unknown.resume();
  const head = await send(passive, `HEAD ${S}`);
  expect(head.statusCode).toBe(200);
  expect(await text(head)).toBe('');
});

test('what was passed on once is not passed on again: 503 with Retry-After', async () => {
  const { passive } = await settled();
  const answer = await send(passive, `DELETE ${S}/s`, { headers: { [forwardedHeader]: 'somebody' } });
  expect(answer.statusCode).toBe(503);
  expect(answer.headers['retry-after']).toBeDefined();
  answer.resume();
});

test('a client that leaves leaves nothing behind; the other process goes on', async () => {
  const { passive } = await settled();
  const left = new Promise<void>((resolve) => {
    const headers = { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json', 'Content-Length': '1000' };
    const asked = request(`${passive}${S}`, { method: 'POST', headers, agent: false });
    asked.on('error', () => undefined).on('close', resolve);
    asked.write('{', () => asked.destroy());
  });
  await left;
  await new Api(passive, rootToken).task('POST', S, { type: 'http', name: 'after' });
});

test('A28: when the process that changes things dies, the other one takes over; until then it answers 503 with a sentence', async () => {
  const { active } = await settled();
  const survivor = active === second.base ? first.base : second.base;
  if (active === second.base) await second.end();
  else await first.admin[Symbol.asyncDispose]();
  const api = new Api(survivor, rootToken);
  const refused: string[] = [];
  await expect
    .poll(
      async () => {
        const { status, text: answered } = await api.request('POST', S, { type: 'http', name: 'later' });
        if (status !== 202) refused.push(`${status} ${answered}`);
        return status;
      },
      { interval: 50 },
    )
    .toBe(202);
  const expected = /^503 .*(another one takes over|one is about to|gives way)/s;
  expect(refused.filter((answer) => !expected.test(answer))).toEqual([]);
});

test('D10: a process that drains frees the seat, and the other one need not wait for it', async () => {
  const { active } = await settled();
  const survivor = active === second.base ? first.base : second.base;
  const drained = active === second.base ? second.admin : first.admin;
  await drained.drain();
  await expect
    .poll(async () => (await new Api(survivor, rootToken).request('POST', S, { type: 'http', name: 'later' })).status, {
      interval: 20,
    })
    .toBe(202);
});
