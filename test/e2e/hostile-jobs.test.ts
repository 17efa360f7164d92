import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { answering, endless, hostileApi, type Behaviour, type HostileApi } from '../support/hostile-api.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { WorkHarness } from '../support/work-harness.ts';
import { openHttpClient } from '../../src/adapters/http-client/http-client.ts';
import { parseHostRule } from '../../src/core/host-rule.ts';

const megabyte = 1024 ** 2;

/** Of good pages before the one that is broken, and of the items of the job that is watched: a gigabyte and a million take minutes. */
const goodBytes = Number(process.env['MILLRACE_TEST_HOSTILE_BYTES'] ?? 24 * megabyte);
const manyItems = Number(process.env['MILLRACE_TEST_HOSTILE_ITEMS'] ?? 60_000);

interface Job {
  readonly id: string;
  readonly status: string;
  readonly isFinished: boolean;
  readonly result: { readonly message: string; readonly output?: { readonly tables: unknown } };
}

let api: HostileApi;
let product: Installation;

/** The time of a job, by which pages without an end are ended. The others take two seconds of it at most where nothing else runs. */
const jobSeconds = Math.ceil(Math.max(10, manyItems / 10_000, goodBytes / (8 * megabyte)));

/** Pages of items without an end, or until `last`, each another one. */
function pages(
  itemsOfPage: number,
  { last, itemBytes = 200 }: { last?: { readonly behind: number; readonly body: string }; itemBytes?: number } = {},
): Behaviour {
  const padding = 'x'.repeat(itemBytes);
  let id = 0;
  return (socket, head) => {
    const page = (): object[] => Array.from({ length: itemsOfPage }, () => ({ id: (id += 1), padding }));
    const body = last !== undefined && id >= last.behind ? last.body : JSON.stringify(page());
    answering(body)(socket, head);
  };
}

/** As many items as were asked for. */
function items(count: number): Behaviour {
  return (socket, head) => {
    const { searchParams } = new URL(head.split(' ')[1] ?? '', 'http://api/');
    const [limit, offset] = [Number(searchParams.get('limit')), Number(searchParams.get('offset'))];
    const length = Math.max(0, Math.min(limit, count - offset));
    const page = Array.from({ length }, (_, at) => ({ id: offset + at, name: `item ${offset + at}`, tag: { a: 'b' } }));
    answering(JSON.stringify(page))(socket, head);
  };
}

const chunk = Buffer.concat([Buffer.from('10000\r\n'), Buffer.alloc(64 * 1024, '1'), Buffer.from('\r\n')]);

const behaviours: Readonly<Record<string, Behaviour>> = {
  '/small-pages': pages(1),
  // Few items, so that the disk is full before the time of the job is over, on a slow machine, too.
  '/large-pages': pages(2000, { itemBytes: 2000 }),
  '/broken-late': pages(2000, { last: { behind: goodBytes / 220, body: '[{"id":1}, {"id":' } }),
  '/endless-body': endless('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', chunk),
  '/slow-drip': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n[');
    const drip = setInterval(() => socket.write(' '), 20);
    socket.on('close', () => clearInterval(drip));
  },
  '/bomb': answering(gzipSync(Buffer.alloc(128 * megabyte, ' ')), 'content-encoding: gzip\r\n'),
  '/headers': endless('HTTP/1.1 200 OK\r\n', Buffer.from('a: b\r\n'.repeat(10_000))),
  '/redirect-to-metadata': answering('', 'location: http://169.254.169.254/latest/meta-data\r\n', '302 Found'),
  '/redirect-to-neighbour': answering('', 'location: http://127.0.0.1:1/\r\n', '302 Found'),
  '/redirect-to-file': answering('', 'location: file:///etc/passwd\r\n', '302 Found'),
  '/redirects': answering('', 'location: /redirects\r\n', '302 Found'),
  '/deep': answering('['.repeat(100_000) + ']'.repeat(100_000)),
  '/wide': answering(JSON.stringify([Object.fromEntries(Array.from({ length: 20_000 }, (_, at) => [`f${at}`, at]))])),
  '/good': answering(JSON.stringify([{ id: 1 }, { id: 2 }])),
  '/many': items(manyItems),
};

async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const response = await fetch(product.process.admin + path, {
    method,
    headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Asks for a job that reads this path, a page after the other. */
async function ask(path: string, limit = 1): Promise<string> {
  const pagination = limit === 1 ? { method: 'pagenum' } : { method: 'offset', limit };
  const jobApi = {
    baseUrl: `http://127.0.0.1:${api.port}/`,
    http: { requestTimeout: path === '/slow-drip' ? 1 : 60 },
    retryConfig: { maxRetries: 0 },
    pagination,
  };
  const config = { outputBucket: 'hostile', jobs: [{ endpoint: path.slice(1) }] };
  const { id } = await call<Job>('POST', '/jobs', {
    component: 'generic-extractor',
    mode: 'run',
    configData: { parameters: { api: jobApi, config } },
  });
  return id;
}

async function ended(id: string): Promise<Job> {
  let job: Job | undefined;
  const look = async (): Promise<void> => {
    job = await call<Job>('GET', `/jobs/${id}`);
    expect(job.isFinished).toBe(true);
  };
  await eventually(look, { withinMs: 600_000 });
  if (job === undefined) throw new Error('the job was not looked at');
  return job;
}

/** What the process holds for itself, in megabytes. */
async function heldMb(): Promise<number> {
  const status = await readFile(`/proc/${product.process.child.pid}/status`, 'utf8');
  return Number(/RssAnon:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** The most that the process held while the work lasted, more than before it. */
async function grewMb(work: () => Promise<void>): Promise<number> {
  const before = await heldMb();
  let most = before;
  const watch = setInterval(() => void heldMb().then((held) => (most = Math.max(most, held))), 20);
  await work();
  clearInterval(watch);
  return most - before;
}

/** Where the long form was asked for. */
function tell(what: string, grown: number): void {
  if (process.env['MILLRACE_TEST_HOSTILE_BYTES'] !== undefined) console.log(`${what}: ${grown.toFixed(0)} MB more`);
}

beforeAll(async () => {
  api = await hostileApi(behaviours);
  product = await Installation.start({
    env: {
      MILLRACE_EXTRACTOR_ALLOWED_HOSTS: `127.0.0.1:${api.port}`,
      MILLRACE_JOBS: '1',
      MILLRACE_JOB_TIMEOUT: `${jobSeconds}s`,
      MILLRACE_JOBS_DISK: `${Math.max(32, Math.ceil((goodBytes * 3) / megabyte))}MB`,
    },
  });
  // The thread of jobs is there: what it takes is no growth of a job.
  await ended(await ask('/good'));
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

describe('a job of many items', { timeout: 600_000 }, () => {
  it(`D8: a job of ${manyItems} items adds less than 200 MB to the process`, async () => {
    let job: Job | undefined;
    const grown = await grewMb(async () => {
      job = await ended(await ask('/many', 1000));
    });
    expect(job?.result).toMatchObject({ output: { tables: [{ id: 'in.c-hostile.many' }] } });
    expect(job?.status).toBe('success');
    tell(`a job of ${manyItems} items`, grown);
    expect(grown).toBeLessThan(200);
  });
});

describe('E6: an API that means harm ends its job in words, within its limits', { timeout: 600_000 }, () => {
  it.each<[string, string, RegExp]>([
    ['pages without an end', '/small-pages', /^The job was ended because it took more than \d+ seconds\.$/],
    [
      'pages that fill the disk',
      '/large-pages',
      /^The job was ended because the jobs of this process may take \d+ bytes of its disk together\. Nothing was loaded\.$/,
    ],
    ['a body without an end', '/endless-body', /has more than 67108864 bytes/],
    ['a body in drips', '/slow-drip', /CURL error 28: .* did not answer to the end within 1000 ms/],
    ['a bomb', '/bomb', /the decompressed answer of .* has more than 67108864 bytes/],
    ['headers without an end', '/headers', /the headers of the answer .* are too large/],
    ['a redirect to the inside', '/redirect-to-metadata', /169\.254\.169\.254 is no public one/],
    ['a redirect to a neighbour', '/redirect-to-neighbour', /127\.0\.0\.1 is no public one/],
    ['a redirect to a file', '/redirect-to-file', /the scheme "file:" is not asked/],
    ['redirects without an end', '/redirects', /redirects more than 5 times/],
    ['nesting without an end', '/deep', /Maximum stack depth exceeded/],
    ['an item of ids as keys', '/wide', /has more than 10000 fields/],
    ['JSON that breaks behind many good pages', '/broken-late', /Invalid JSON response from API/],
  ])('%s', async (_title, path, words) => {
    let job: Job | undefined;
    const grown = await grewMb(async () => {
      job = await ended(await ask(path));
    });
    tell(path, grown);
    expect(job?.status).toBe('error');
    expect(job?.result.message).toMatch(words);
    expect(job?.result.message.length).toBeLessThan(1000);
    // A body of 64 MiB, twice while it is put together, and what is read of it.
    expect(grown).toBeLessThan(250);
    // It goes on answering, and the next job is as good as ever.
    expect((await ended(await ask('/good'))).status).toBe('success');
  });

  it('nothing of them is loaded, and nothing of them stays on the disk', async () => {
    const tables = await call<readonly { readonly id: string }[]>('GET', '/v2/storage/tables');
    expect(tables.map(({ id }) => id).toSorted()).toEqual(['in.c-hostile.good', 'in.c-hostile.many']);
    await eventually(() => expect(api.open).toBe(0));
  });
});

describe('E6: a name that changes', () => {
  it('between two pages of a job ends it in words: the new address is not asked', async () => {
    await using one = await hostileApi({ '/pages': closing(pages(1)) });
    const looked: string[] = [];
    const resolve = async (name: string) => {
      looked.push(name);
      return [{ address: looked.length === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }];
    };
    const allowedHosts = [parseHostRule(`127.0.0.1:${one.port}`)].filter((rule) => rule !== undefined);
    await using harness = await WorkHarness.open();
    await harness.work({ openHttp: (settings) => openHttpClient({ ...settings, allowedHosts, resolve }) });
    const jobApi = { baseUrl: `http://rebound.example:${one.port}/`, pagination: { method: 'pagenum' } };
    const config = { outputBucket: 'hostile', jobs: [{ endpoint: 'pages' }] };
    await harness.configure('rebound', { parameters: { api: jobApi, config } });
    const { status, result } = await harness.ended(await harness.ask({ configurationId: 'rebound' }));
    expect(status).toBe('error');
    expect(result.message).toMatch(/"rebound\.example" has the address 127\.0\.0\.2, which is no public one/);
    expect([one.connections, looked.length]).toEqual([1, 2]);
    expect(await harness.cells('in.c-hostile.pages')).toBeUndefined();
  });
});

/** Ends the connection behind an answer, so that the next request makes another one. */
function closing(behaviour: Behaviour): Behaviour {
  return (socket, head) => {
    behaviour(socket, head);
    socket.end();
  };
}
