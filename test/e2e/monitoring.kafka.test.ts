import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { follow } from '../support/drill.ts';
import { eventually } from '../support/eventually.ts';
import { rootToken } from '../support/installation.ts';
import { startKafka, whereIsKafka, type StartedKafka } from '../support/kafka.ts';
import { leftOut } from '../support/long-tests.ts';
import { panelsShow } from '../support/panels.ts';
import type { ProductProcess } from '../support/process.ts';
import { quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { RunbookShell } from '../support/runbook.ts';
import { numberColumns, Shop } from '../support/shop.ts';
import { startToxiproxy, whyNoToxiproxy, type ProxiedWay, type Toxiproxy } from '../support/toxiproxy.ts';

const missing = (await whyNoCluster()) ?? (await whyNoPrometheus()) ?? (await whyNoToxiproxy());
if (missing !== undefined) console.warn(`skipped, ${missing}`);
const canRun = missing === undefined && (await whereIsKafka()).kind === 'started';

describe.skipIf(!canRun)('a real Prometheus on a small cluster', () => {
  const stack = new AsyncDisposableStack();
  let kafka: StartedKafka;
  let cluster: Cluster;
  let toxiproxy: Toxiproxy;
  let catalog: ProxiedWay;
  let staging: ProxiedWay;
  let worker: ProductProcess;
  let prometheus: Prometheus;
  let shell: RunbookShell;
  let shop: Shop;

  beforeAll(async () => {
    kafka = stack.use(await startKafka());
    cluster = stack.use(await openCluster({ ownKafka: kafka }));
    toxiproxy = stack.use(await startToxiproxy());
    const throughProxy = async (name: string, variable: string): Promise<[ProxiedWay, Record<string, string>]> => {
      const url = new URL(cluster.secrets[variable] ?? '');
      const way = await toxiproxy.way(name, Number(url.port));
      url.port = String(way.port);
      return [way, { [variable]: url.href.replace(/\/$/, '') }];
    };
    const [toCatalog, catalogEnv] = await throughProxy('catalog', 'CATALOG_URL');
    const [toStaging, stagingEnv] = await throughProxy('staging', 'S3_ENDPOINT');
    [catalog, staging] = [toCatalog, toStaging];
    const { admin } = await cluster.start('ingest,map,stage,import,admin', {
      ...catalogEnv,
      ...stagingEnv,
      MILLRACE_PARTITIONS: '1',
      MILLRACE_APPEND_TIMEOUT: '2s',
    });
    worker = await cluster.start('work');
    const targets = [admin, worker.ops].map((url) => new URL(url).host);
    prometheus = stack.use(await startPrometheus({ targets, rules: await quickRules() }));
    const env = { MILLRACE_URL: admin, MILLRACE_ADMIN_PORT: new URL(admin).port };
    shell = stack.use(await RunbookShell.open({ dataDir: '/nowhere', admin, env }));
    shop = new Shop({ url: admin, token: rootToken });
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders', columns: numberColumns }]);
  }, 400_000);

  afterAll(() => stack.disposeAsync(), 120_000);

  const send = async (): Promise<number> => (await fetch(await shop.url(), { method: 'POST', body: '{"n":1}' })).status;

  /** Events that come all the time; answers of any kind will do. */
  function sending(): AsyncDisposable {
    const stopping = new AbortController();
    const done = (async () => {
      const url = await shop.url();
      while (!stopping.signal.aborted) {
        await fetch(url, { method: 'POST', body: '{"n":1}' });
        await new Promise((resolve) => setTimeout(resolve, 200));
      }
    })();
    return {
      [Symbol.asyncDispose]: async () => {
        stopping.abort();
        await done;
      },
    };
  }

  it('sees partitions that are held, rebalances, and how long Kafka takes', async () => {
    await eventually(async () => expect(await send()).toBe(200), { withinMs: 90_000 });
    await using _events = sending();
    await panelsShow(
      prometheus,
      'millrace_group_partitions',
      'millrace_group_rebalances_total',
      'millrace_log_request_duration_seconds',
    );
    for (const request of ['produce', 'fetch'])
      expect(
        await prometheus.query(`millrace_log_request_duration_seconds_count{request="${request}"} > 0`),
      ).not.toEqual([]);
    for (const group of ['map', 'stage', 'import'])
      await eventually(async () => {
        expect(await prometheus.query(`sum(millrace_group_partitions{group="${group}"}) > 0`)).not.toEqual([]);
      });
  });

  it('rings for a catalog that is slow, until the line to it is mended', async () => {
    await using _events = sending();
    await follow(
      'catalog-slow',
      { prometheus, shell },
      {
        fault: () => catalog.spoil({ type: 'latency', stream: 'downstream', attributes: { latency: 1200 } }),
        // It answers, only late.
        tellsNothingBefore: true,
        mend: [{ says: 'the line to it', done: () => catalog.heal() }],
      },
    );
  }, 400_000);

  it('rings for a server that is missing and for what fails without it, until the line to it is back', async () => {
    await follow(
      'server-missing',
      { prometheus, shell },
      {
        fault: () => staging.close(),
        shows: /staging \(s3\)/,
        mend: [{ says: 'or the line to it', done: () => staging.heal() }],
      },
    );
  }, 400_000);

  it('rings for a partition that takes no appends, until its broker is back', async () => {
    await using _events = sending();
    await follow(
      'partition-refuses',
      { prometheus, shell },
      {
        fault: () => kafka.kill(),
        seen: () => panelsShow(prometheus, 'millrace_log_append_alarms'),
        mend: [{ says: 'Bring the brokers back that are away', done: () => kafka.start() }],
      },
    );
  }, 400_000);

  it.skipIf(leftOut('a staging store that is slow'))(
    'rings for slices that wait for their upload, until the line to staging is mended',
    async () => {
      await using _events = sending();
      await follow(
        'staging-slow',
        { prometheus, shell },
        {
          fault: () => staging.spoil({ type: 'latency', stream: 'upstream', attributes: { latency: 45_000 } }),
          mend: [{ says: 'the line to it', done: () => staging.heal() }],
        },
      );
    },
    600_000,
  );

  it.skipIf(leftOut('a cluster in which nobody runs jobs'))(
    'rings for jobs that nobody runs, until a process with the role work is started',
    async () => {
      const configuration = { parameters: { api: { baseUrl: 'http://127.0.0.1:1/' }, config: { outputBucket: 'x' } } };
      await shop.api.call('POST', '/v2/storage/components/generic-extractor/configs', {
        configurationId: 'shop',
        name: 'Shop',
        configuration,
      });
      await follow(
        'nobody-runs-jobs',
        { prometheus, shell },
        {
          fault: async () => {
            worker.kill('SIGTERM');
            await worker.ended;
            await shop.api.call('POST', '/jobs', { component: 'generic-extractor', config: 'shop' });
          },
          shows: /millrace_work_processes 0/,
          mend: [{ says: 'npx millrace start --role work', done: () => cluster.start('work') }],
        },
      );
    },
    600_000,
  );
});
