import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { answering, hostileApi, type Behaviour, type HostileApi } from '../support/hostile-api.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { msOf, oneInTime } from '../support/one-in-time.ts';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly phase: string;
  readonly isFinished: boolean;
}

const others = 50;
/** Of the job that is ended while its rows are written and loaded. */
const rows = 200_000;
const pageRows = 20_000;

let api: HostileApi;
let product: Installation;
const call = <Answer>(method: string, path: string, body?: object): Promise<Answer> =>
  new Api(product.process.admin, rootToken).call<Answer>(method, path, body);

const silent: Behaviour = () => undefined;

const behaviours: Readonly<Record<string, Behaviour>> = {
  '/login': silent,
  '/silent': silent,
  '/later': answering('', 'retry-after: 3000\r\n', '429 Too Many Requests'),
  '/drip': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n[');
    const drip = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(drip));
  },
  '/parents': answering(JSON.stringify([{ id: 1 }, { id: 2 }])),
  '/parents/1': silent,
  '/many': (socket, head) => {
    const { searchParams } = new URL(head.split(' ')[1] ?? '', 'http://api/');
    const offset = Number(searchParams.get('offset') ?? 0);
    const length = Math.max(0, Math.min(pageRows, rows - offset));
    const page = Array.from({ length }, (_, at) => ({ id: offset + at, text: 'x'.repeat(100), tag: `item ${at}` }));
    answering(JSON.stringify(page))(socket, head);
  },
  // Pages without an end, each a moment after the one before.
  '/endless': (socket, head) => {
    const page = JSON.stringify(Array.from({ length: 20 }, () => ({ id: Math.random(), text: 'y'.repeat(50) })));
    setTimeout(() => answering(page)(socket, head), 50);
  },
};

/** Asks for a job that reads this path. */
async function ask(endpoint: string, { name = endpoint, api: more = {}, job = {} }: Asked = {}): Promise<string> {
  const jobApi = { baseUrl: `http://127.0.0.1:${api.port}/`, pagination: { method: 'pagenum' }, ...more };
  const config = { outputBucket: name, jobs: [{ endpoint, ...job }] };
  const configuration = { parameters: { api: jobApi, config } };
  const path = '/v2/storage/components/generic-extractor/configs';
  await call('POST', path, { configurationId: name, name, configuration }).catch(() => undefined);
  return (await call<Job>('POST', '/jobs', { component: 'generic-extractor', config: name })).id;
}

interface Asked {
  readonly name?: string;
  readonly api?: object;
  readonly job?: object;
}

/** Resolves when this path is asked for, once `begin` has been called. */
async function asking(path: string, begin: () => Promise<string>): Promise<string> {
  const before = api.heads.length;
  const id = await begin();
  const isAsked = (): boolean => api.heads.slice(before).some((head) => head.split(' ')[1]?.startsWith(path));
  await eventually(() => expect(isAsked()).toBe(true));
  return id;
}

const says = (id: string, line: string): Promise<void> =>
  eventually(
    async () => {
      const log = await call<{ message: string }[]>('GET', `/v2/storage/events?runId=${id}&limit=10`);
      expect(log.map(({ message }) => message).join('\n')).toContain(line);
    },
    { everyMs: 5 },
  );

/** The status with which it ended. */
async function killed(id: string): Promise<string> {
  await call('POST', `/jobs/${id}/kill`);
  const look = async (): Promise<string> => {
    const { status, isFinished } = await call<Job>('GET', `/jobs/${id}`);
    if (!isFinished) throw new Error(`job ${id} is ${status}`);
    return status;
  };
  return eventually(look, { everyMs: 10 });
}

/** What a second is on this machine, with all that it has to do: longer where few jobs can be asked for in one. */
async function second(): Promise<number> {
  return 1000 + 10 * (await msOf(() => ask('silent', { name: 'asked' })));
}

beforeAll(async () => {
  api = await hostileApi(behaviours);
  product = await Installation.start({
    env: { MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1', MILLRACE_JOBS: '64' },
  });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

const login = {
  authentication: {
    type: 'login',
    loginRequest: { endpoint: 'login', method: 'GET' },
    apiRequest: { headers: { 'x-token': 'token' } },
  },
};
const children = [{ endpoint: 'parents/{id}', placeholders: { id: 'id' } }];

const points: readonly (readonly [string, () => Promise<string>, string])[] = [
  [
    'while it waits for its turn',
    async () => {
      await ask('silent', { name: 'first' });
      return ask('silent', { name: 'first' });
    },
    'cancelled',
  ],
  ['in a login', () => asking('/login', () => ask('silent', { name: 'login', api: login })), 'terminated'],
  ['in the wait that an answer asked for', () => asking('/later', () => ask('later')), 'terminated'],
  ['in the body of a page', () => asking('/drip', () => ask('drip')), 'terminated'],
  ['in a child job', () => asking('/parents/1', () => ask('parents', { job: { children } })), 'terminated'],
  [
    'while its rows are written and loaded',
    async () => {
      const id = await ask('many', { api: { pagination: { method: 'offset', limit: pageRows } } });
      await says(id, 'Loading table');
      return id;
    },
    'terminated',
  ],
];

describe.each([
  ['alone', 0],
  ['beside 50 jobs that run', others],
])('J6: a job that is killed %s', (_how, count) => {
  beforeAll(async () => {
    for (let at = 0; at < count; at += 1) await ask('endless', { name: `other-${at}` });
    await eventually(async () => {
      const jobs = await call<readonly Job[]>('GET', '/search/jobs?limit=100');
      const running = jobs.filter(({ phase }) => phase === 'running').length;
      if (running < count) throw new Error(`${running} jobs run`);
    });
  });

  it.each(points)('%s ends within a second', async (_where, begin, status) => {
    await oneInTime(await second(), async () => {
      const id = await begin();
      return msOf(async () => expect(await killed(id)).toBe(status));
    });
  });
});
