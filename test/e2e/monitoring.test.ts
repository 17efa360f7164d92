import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { composeProduct } from '../support/composed-product.ts';
import { follow } from '../support/drill.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { isLong, leftOut } from '../support/long-tests.ts';
import { panels, panelsShow, panelsWithData } from '../support/panels.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { RunbookShell } from '../support/runbook.ts';
import type { Shop } from '../support/shop.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);

const root = new URL('../../', import.meta.url);
const patient = { withinMs: 150_000, everyMs: 500 };

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

/** What one process by itself cannot have, and the test in which its panels have data. */
const elsewhere: Readonly<Record<string, string>> = {
  // Measured once a minute: the long form waits for it.
  ...(isLong ? {} : { millrace_sink_retention_used_ratio: 'test/e2e/losses.test.ts' }),
  millrace_log_request_duration_seconds: 'test/e2e/monitoring.kafka.test.ts',
  millrace_log_append_alarms: 'test/e2e/monitoring.kafka.test.ts',
  millrace_jobs_total: 'test/e2e/drills-by-clock.test.ts',
  millrace_scheduled_runs_total: 'test/e2e/drills-by-clock.test.ts',
  millrace_job_duration_seconds: 'test/e2e/drills-by-clock.test.ts',
  millrace_spans_total: 'test/e2e/spans-away.test.ts',
  millrace_sink_witness_difference: 'test/e2e/losses.test.ts',
  // A product of its own, of which a part fails.
  millrace_service_failures_total: 'test/e2e/monitoring.test.ts',
  millrace_sink_parked_events: 'test/e2e/losses.test.ts',
  millrace_sink_given_up_events: 'test/e2e/losses.test.ts',
  millrace_retention_lost_events_total: 'test/e2e/losses.test.ts',
  millrace_stage_torn_topics_total: 'test/e2e/losses.test.ts',
};

let installation: Installation;
let prometheus: Prometheus;
let shell: RunbookShell;
let shop: Shop;
const seen = new Set<string>();

const id = { type: 'uuid', name: 'id' };
// It takes whatever somebody sends.
const cheap = [id, { type: 'body', name: 'n' }];
const endless = {
  type: 'template',
  name: 'cell',
  template: { language: 'jsonnet', content: 'local f(n) = f(n + 1); f(0)' },
};

beforeAll(async () => {
  if (without !== undefined) return;
  installation = await Installation.start();
  const { admin } = installation.process;
  prometheus = await startPrometheus({ targets: [new URL(admin).host], rules: await quickRules() });
  shell = await RunbookShell.open({ dataDir: installation.folder, admin });
  shop = installation.shop();
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders', columns: cheap }]);
});

afterAll(async () => {
  await shell?.[Symbol.asyncDispose]();
  await prometheus?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
});

/** Changes the columns of the sink and, as they all are of text, its table as well. */
async function map(columns: readonly object[]): Promise<void> {
  await shop.api.task('PATCH', shop.sink('orders'), { table: { tableId: 'in.c-shop.orders', mapping: { columns } } });
}

/** Asks every panel, and remembers those that have something to show. */
async function lookAtPanels(): Promise<void> {
  for (const place of await panelsWithData(prometheus)) seen.add(place);
}

type Post = (url: string) => Promise<unknown>;

const post =
  (body: string, type = 'application/json'): Post =>
  (url) =>
    fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } });

const good: readonly Post[] = [post('{"n":1}'), post(`{"n":1}\n{"n":2}\n`, 'application/x-ndjson')];

/** Events that come all the time, until it is stopped. */
function sending(posts: readonly Post[]): { stop: () => Promise<void> } & AsyncDisposable {
  const stopping = new AbortController();
  const done = (async () => {
    const url = await shop.url();
    while (!stopping.signal.aborted) {
      await Promise.all(posts.map((one) => one(url)));
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
  })();
  const stop = async (): Promise<void> => {
    stopping.abort();
    await done;
  };
  return { stop, [Symbol.asyncDispose]: stop };
}

describe.skipIf(without !== undefined)('a real Prometheus on a running product', () => {
  it('takes all rules as they ship, and none of them rings where all is well', async () => {
    const shipped = parse(readFileSync(new URL('docker/prometheus/millrace.rules.yml', root), 'utf8')) as Rules;
    expect((await prometheus.rules()).toSorted()).toEqual(
      shipped.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted(),
    );
    await eventually(async () => expect(await prometheus.firing()).toEqual([]), patient);
  });

  it('rings for senders that are refused, until they change something', async () => {
    await using strangers = sending([...good, (url) => fetch(`${url}-of-nobody`, { method: 'POST', body: '{}' })]);
    await follow(
      'senders-refused',
      { prometheus, shell },
      {
        fault: () => undefined,
        shows: /millrace_ingest_refused_total\{reason="\w+"\} [1-9]/,
        // Another sender is taken meanwhile.
        tellsNothingBefore: true,
        mend: [{ says: 'the sender has to change something', done: () => strangers.stop() }],
      },
    );
  });

  it('rings for dead letters, until the mapping is as it was; then they are rows', async () => {
    await using senders = sending(good);
    const change = map([id, { type: 'path', name: 'n', path: 'of.another.release' }]);
    await follow(
      'dead-letters',
      { prometheus, shell },
      {
        fault: () => change,
        seen: lookAtPanels,
        shows: /pathNotFound/,
        mend: [
          { says: 'bring the version before back', typed: { VERSION: '1' } },
          {
            says: 'When the mapping takes them',
            done: async () => {
              await senders.stop();
              await shop.flush('orders');
            },
          },
          { says: 'When the mapping takes them', typed: true },
        ],
      },
    );
    expect((await shop.progress('orders')).totals).toMatchObject({ dead: 0, difference: 0 });
    // Each of the panel of replays has something to show of it.
    await eventually(async () => {
      await lookAtPanels();
      expect([...seen].filter((place) => place.includes('replay'))).toHaveLength(3);
    }, patient);
  });

  it('rings for a template at its limit, until the template is cheaper; then its dead letters are rows', async () => {
    await shop.createSink({ sinkId: 'costly', tableId: 'in.c-shop.costly', columns: [id, endless] });
    await using onCall = await RunbookShell.open({
      dataDir: installation.folder,
      admin: installation.process.admin,
      sink: 'costly',
    });
    await using senders = sending(good);
    await follow(
      'template-limit',
      { prometheus, shell: onCall },
      {
        fault: () => undefined,
        seen: lookAtPanels,
        shows: /templateLimit/,
        mend: [
          {
            says: 'Then give it to the sink',
            done: async () => {
              const columns = 'id:uuid "cell:template:1 + 1"';
              expect(await onCall.run(`npx millrace sink update shop costly --column ${columns}`)).toMatchObject({
                code: 0,
              });
              await senders.stop();
              await shop.flush('costly');
            },
          },
          { says: 'When the template is mended', typed: true },
        ],
      },
    );
    expect((await shop.progress('costly')).totals).toMatchObject({ dead: 0, difference: 0 });
    await shop.api.task('DELETE', shop.sink('costly'));
  });

  it('rings for a sink that is stopped, until its table is back', async () => {
    await follow(
      'sink-stopped',
      { prometheus, shell },
      {
        fault: async () => {
          await shop.api.call('DELETE', '/v2/storage/tables/in.c-shop.orders?force=true');
          await post('{"n":1}')(await shop.url());
        },
        seen: lookAtPanels,
        shows: /in\.c-shop\.orders/,
        mend: [
          {
            says: 'has the code, with its cause and what to do',
            done: () => shell.run('npx millrace table create in.c-shop.orders id n'),
          },
          { says: 'A change of the sink makes it come at once', typed: true },
        ],
      },
    );
  });

  it.skipIf(leftOut('a thread that has no time left'))(
    'rings for a thread that has no time left, until its templates are cheap again',
    async () => {
      const cells = Array.from({ length: 8 }, (_, at) => `cell_${at}`);
      const sink = (content: string): object => ({
        table: {
          tableId: 'in.c-shop.busy',
          mapping: {
            columns: [id, ...cells.map((name) => ({ ...endless, name, template: { language: 'jsonnet', content } }))],
          },
        },
      });
      await shop.api.task('POST', `${shop.path}/sinks`, {
        name: 'busy',
        sinkId: 'busy',
        ...sink('std.length([i for i in std.range(0, 300000)])'),
      });
      // More than any machine maps by that template, and never so many that they keep it busy for long afterwards.
      const enough: Post = async (url) => {
        if ((await shop.progress('busy')).totals.inFlight < 100)
          await post('{"n":1}\n'.repeat(20), 'application/x-ndjson')(url);
      };
      await using senders = sending([enough]);
      await follow(
        'event-loop-busy',
        { prometheus, shell },
        {
          fault: () => undefined,
          shows: /thread="map"/,
          mend: [
            {
              says: 'costly templates',
              done: async () => {
                await senders.stop();
                await shop.api.task('PATCH', shop.sink('busy'), sink('1'));
              },
            },
          ],
        },
      );
    },
  );

  it('rings for a store with the mark of another installation, until it is claimed', async () => {
    const mark = join(installation.folder, 'staging', 'millrace-installation.json');
    await follow(
      'foreign-store',
      { prometheus, shell },
      {
        fault: () => writeFile(mark, JSON.stringify({ installation: '11111111-2222-4333-8444-555555555555' })),
        seen: lookAtPanels,
        shows: /11111111-2222-4333-8444-555555555555/,
        mend: [
          {
            says: 'The store was moved, restored or replaced on purpose',
            done: async () => {
              await installation.stop();
              await rm(mark);
              expect(await shell.run('npx millrace claim')).toMatchObject({ code: 0 });
              await installation.start();
            },
          },
        ],
      },
    );
  });

  it('rings for a process that was killed, and because nobody measures, until it is started again', async () => {
    await follow(
      'process-away',
      { prometheus, shell },
      {
        fault: () => installation.stop('SIGKILL'),
        mend: [{ says: 'Start it again', done: () => installation.start() }],
      },
    );
    await follow(
      'unmeasured',
      { prometheus, shell },
      {
        fault: () => installation.stop('SIGKILL'),
        mend: [{ says: 'Start a process with the role admin', done: () => installation.start() }],
      },
    );
  });

  it('had data for every panel, but for what one process by itself cannot have', () => {
    const others = Object.keys(elsewhere);
    const empty = panels.filter(({ place, query }) => !seen.has(place) && !others.some((name) => query.includes(name)));
    expect(empty.map(({ place }) => place)).toEqual([]);
    expect(panels.length).toBeGreaterThan(60);
    expect(others.filter((name) => !panels.some(({ query }) => query.includes(name)))).toEqual([]);
  });

  it.each(Object.entries(elsewhere))('the panels of %s have data in %s', (metric, where) => {
    const text = readFileSync(new URL(where, root), 'utf8');
    expect(text.replaceAll(/\s+/g, ' ')).toMatch(new RegExp(`panelsShow\\([^)]*'${metric}'`));
  });
});

describe.skipIf(without !== undefined)('a real Prometheus on a product of which a part fails', () => {
  it('rings until it fails no more', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-failing-'));
    const order = join(folder, 'order');
    process.env['HANG_ORDER'] = order;
    await using product = await composeProduct({
      threadEntry: pathToFileURL(join(import.meta.dirname, '../support/hanging-thread.ts')),
    });
    const { host, port } = new URL(product.admin);
    await using watching = await startPrometheus({ targets: [host], rules: await quickRules() });
    const env = { MILLRACE_URL: product.admin, MILLRACE_ADMIN_PORT: port };
    await using onCall = await RunbookShell.open({ dataDir: folder, admin: product.admin, env });
    await product.shop().create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    await follow(
      'service-fails',
      { prometheus: watching, shell: onCall },
      {
        fault: () => writeFile(order, 'map failing'),
        seen: () => panelsShow(watching, 'millrace_service_failures_total'),
        shows: /millrace_service_failures_total\{service="map"/,
        mend: [{ says: 'A store that is away is the most frequent cause', done: () => rm(order) }],
      },
    );
    delete process.env['HANG_ORDER'];
    await rm(folder, { recursive: true });
  });
});
