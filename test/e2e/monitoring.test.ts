import { globSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import { quickened, quickRules, startPrometheus, whyNoPrometheus, type Prometheus } from '../support/prometheus.ts';
import { readRunbook, RunbookShell } from '../support/runbook.ts';
import type { Shop } from '../support/shop.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`skipped, ${without}`);

const root = new URL('../../', import.meta.url);
const patient = { withinMs: 150_000, everyMs: 500 };

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets?: readonly { readonly expr: string }[] }[];
}

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly alert: string; readonly expr: string }[] }[];
}

const panels = globSync('docker/grafana/dashboards/*.json', { cwd: root }).flatMap((file) =>
  (JSON.parse(readFileSync(new URL(file, root), 'utf8')) as Dashboard).panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ place: `${title}: ${expr}`, query: filledIn(expr) })),
  ),
);

/** What one process by itself cannot have, and who sees that it has data. */
const elsewhere = [
  // Measured once a minute: the long form waits for it.
  ...(isLong ? [] : ['millrace_sink_retention_used_ratio']),
  // Only where there is Kafka, and servers that can be missing.
  'millrace_log_request_duration_seconds',
  'millrace_log_append_alarms',
  // The stores of another installation: test/e2e/foreign-store.test.ts.
  'millrace_foreign_store_alarms',
  // A job of each kind: test/e2e/jobs.test.ts.
  'millrace_jobs_total',
  'millrace_scheduled_runs_total',
  'millrace_job_duration_seconds',
  // Losses: test/e2e/losses.test.ts.
  'millrace_sink_parked_events',
  'millrace_sink_given_up_events',
  'millrace_retention_lost_events_total',
  'millrace_stage_torn_topics_total',
  // A defect of the product, and a service that fails.
  'millrace_sink_witness_difference',
  'millrace_service_failures_total',
];

let installation: Installation;
let prometheus: Prometheus;
let shop: Shop;
const seen = new Set<string>();

beforeAll(async () => {
  if (without !== undefined) return;
  installation = await Installation.start();
  const { host } = new URL(installation.process.admin);
  prometheus = await startPrometheus({ targets: [host], rules: await quickRules() });
  shop = installation.shop();
  const cheap = { type: 'uuid', name: 'id' };
  const endless = {
    type: 'template',
    name: 'cell',
    template: { language: 'jsonnet', content: 'local f(n) = f(n + 1); f(0)' },
  };
  await shop.create([
    { sinkId: 'orders', tableId: 'in.c-shop.orders', columns: [cheap, { type: 'path', name: 'n', path: 'n' }] },
    { sinkId: 'endless', tableId: 'in.c-shop.endless', columns: [cheap, endless] },
  ]);
});

afterAll(async () => {
  await prometheus?.[Symbol.asyncDispose]();
  await installation?.[Symbol.asyncDispose]();
});

/** As Grafana does, with windows of a test. */
function filledIn(expr: string): string {
  const filled = expr.replaceAll('$__rate_interval', '10s').replaceAll(/\$(?:branch|source|sink)/g, '.*');
  return quickened(filled);
}

async function rings(...alerts: readonly string[]): Promise<void> {
  await eventually(async () => expect(await prometheus.firing()).toEqual(expect.arrayContaining([...alerts])), patient);
}

async function areSilent(...alerts: readonly string[]): Promise<void> {
  await eventually(async () => {
    const firing = await prometheus.firing();
    expect(firing.filter((alert) => alerts.includes(alert))).toEqual([]);
  }, patient);
}

/** Asks every panel, and remembers those that have something to show. */
async function lookAtPanels(): Promise<void> {
  for (const { place, query } of panels) {
    const samples = await prometheus.query(query);
    if (samples.some(({ value }) => !Number.isNaN(value))) seen.add(place);
  }
}

async function send(rounds: number): Promise<void> {
  const url = await shop.url();
  const post = (body: string, type: string): Promise<Response> =>
    fetch(url, { method: 'POST', body, headers: { 'Content-Type': type } });
  for (let n = 0; n < rounds; n += 1) {
    await post(JSON.stringify({ n }), 'application/json');
    await post(`{"n":1}\n{"n":2}\n`, 'application/x-ndjson');
    await post('no JSON', 'application/json');
    await fetch(`${url}-of-nobody`, { method: 'POST', body: '{}' });
  }
}

/** Events that come all the time, until it is stopped. */
function sending(): { stop: () => Promise<void> } {
  const stopping = new AbortController();
  const done = (async () => {
    while (!stopping.signal.aborted) await send(3).then(() => new Promise((resolve) => setTimeout(resolve, 200)));
  })();
  return {
    stop: async () => {
      stopping.abort();
      await done;
    },
  };
}

describe.skipIf(without !== undefined)('a real Prometheus on a running product', () => {
  it('takes all rules as they ship, and none of them rings where all is well', async () => {
    const shipped = parse(readFileSync(new URL('docker/prometheus/millrace.rules.yml', root), 'utf8')) as Rules;
    expect((await prometheus.rules()).toSorted()).toEqual(
      shipped.groups.flatMap(({ rules }) => rules.map(({ alert }) => alert)).toSorted(),
    );
    await areSilent('MillraceUnmeasured', 'MillraceProcessAway');
    expect(await prometheus.firing()).toEqual([]);
  });

  it('rings for refused senders, dead letters and templates at their limit, and is silent afterwards', async () => {
    const events = sending();
    try {
      await rings('MillraceSendersRefused', 'MillraceDeadLetters', 'MillraceTemplateLimit');
      await lookAtPanels();
    } finally {
      await events.stop();
    }
    await areSilent('MillraceSendersRefused', 'MillraceDeadLetters', 'MillraceTemplateLimit');
  });

  it('rings for a sink that is stopped, lags, and delivers late; its runbook, followed to the letter, shows the end', async () => {
    const onCall = { dataDir: installation.folder, admin: installation.process.admin };
    await using shell = await RunbookShell.open(onCall);
    const { look, over } = await readRunbook('sink-stopped');
    expect((await shell.run(over)).code).toBe(0);
    await shop.api.call('DELETE', '/v2/storage/tables/in.c-shop.orders?force=true');
    await send(5);
    await rings('MillraceSinkStopped');
    for (const script of look) expect((await shell.run(script)).printed).toContain('in.c-shop.orders');
    expect((await shell.run(over)).code).toBe(1);
    await lookAtPanels();
    if (isLong) await rings('MillraceSinkLags');
    expect((await shell.run('npx millrace table create in.c-shop.orders id n')).code).toBe(0);
    const late = isLong ? rings('MillraceFreshnessBurnsFast', 'MillraceFreshnessBurns') : Promise.resolve();
    // A change of the sink makes the next try come at once.
    await shop.api.task('PATCH', shop.sink('orders'), { description: 'Its table is back.' });
    await late;
    await lookAtPanels();
    await areSilent('MillraceSinkStopped', 'MillraceSinkLags', 'MillraceFreshnessBurnsFast', 'MillraceFreshnessBurns');
    await eventually(async () => expect((await shell.run(over)).code).toBe(0));
  }, 400_000);

  it('rings for a process that was killed, and is silent when it is back', async () => {
    await installation.stop('SIGKILL');
    await rings('MillraceProcessAway', 'MillraceUnmeasured');
    await installation.start();
    await areSilent('MillraceProcessAway', 'MillraceUnmeasured');
  }, 300_000);

  it('had data for every panel, but for what one process by itself cannot have', () => {
    const empty = panels.filter(
      ({ place, query }) => !seen.has(place) && !elsewhere.some((name) => query.includes(name)),
    );
    expect(empty.map(({ place }) => place)).toEqual([]);
    expect(panels.length).toBeGreaterThan(60);
    expect(elsewhere.filter((name) => !panels.some(({ query }) => query.includes(name)))).toEqual([]);
  });
});
