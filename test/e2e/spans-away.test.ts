import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { madeTrace, namesOf, post } from '../support/made-trace.ts';
import { panelsShow } from '../support/panels.ts';
import { startPrometheus, whyNoPrometheus } from '../support/prometheus.ts';
import type { Shop } from '../support/shop.ts';
import { SpanServer } from '../support/span-server.ts';

const without = await whyNoPrometheus();
if (without !== undefined) console.warn(`its panel is not looked at, ${without}`);

const numbers = Array.from({ length: 40 }, (_, n) => n);

async function deliver(shop: Shop): Promise<void> {
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-shop.rows' }]);
  const url = await shop.url();
  const statuses = await Promise.all(numbers.map((n) => post(url, `{"n":${n}}`, madeTrace())));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await eventually(async () => expect(await shop.numbersIn('in.c-shop.rows')).toEqual(numbers));
}

/** How many spans had a result, as `/metrics` says. */
async function spansWith(installation: Installation, result: string): Promise<number> {
  const text = await (await fetch(`${installation.process.admin}/metrics`)).text();
  return Number(new RegExp(`^millrace_spans_total\\{result="${result}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
}

it('H5: nothing is lost or held up while nobody takes the spans; they are counted, and taken when somebody is there', async () => {
  const port = await freePort();
  await using installation = await Installation.start({
    env: { MILLRACE_TRACES_URL: `http://127.0.0.1:${port}/v1/traces` },
  });
  const shop = installation.shop();
  await deliver(shop);
  await eventually(async () => expect(await spansWith(installation, 'failed')).toBeGreaterThan(0));
  if (without === undefined) {
    await using prometheus = await startPrometheus({ targets: [new URL(installation.process.admin).host] });
    await panelsShow(prometheus, 'millrace_spans_total');
  }
  await using server = await SpanServer.start(port);
  const { traceId, traceparent } = madeTrace();
  expect(await post(await shop.url(), '{"n":40}', { traceparent })).toBe(200);
  await eventually(() => expect(namesOf(server.of(traceId))).toContain('import shop/rows'));
  expect(await spansWith(installation, 'exported')).toBeGreaterThan(0);
});

it.each([
  { answer: 'never answers', manner: 'hangs' },
  { answer: 'never ends its answer', manner: 'drips' },
] as const)(
  'H5, D10: a server of spans that $answer holds up neither events nor the end of the process',
  async ({ manner }) => {
    await using server = await SpanServer.start();
    server.manner = manner;
    await using installation = await Installation.start({
      env: { MILLRACE_TRACES_URL: server.url, OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20mine' },
    });
    await deliver(installation.shop());
    await eventually(() => expect(server.headers.length).toBeGreaterThan(0));
    expect(server.headers[0]?.authorization, 'as the guide says').toBe('Bearer mine');
    await eventually(async () => expect(await spansWith(installation, 'failed')).toBeGreaterThan(0));
    const began = performance.now();
    expect(await installation.stop()).toBe('0');
    expect(performance.now() - began).toBeLessThan(25_000);
  },
);

/** Writes down which modules of OpenTelemetry are asked for, by which thread. */
const watching = (file: string): string => `
import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { threadId } from 'node:worker_threads';
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@opentelemetry/')) appendFileSync(${JSON.stringify(file)}, threadId + ' ' + specifier + '\\n');
    return next(specifier, context);
  },
});
`;

it.each([
  { wanted: 'off', threads: 0 },
  { wanted: 'on', threads: 4 },
])('H6: while traces are $wanted, $threads threads load the SDK', async ({ wanted, threads }) => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-watching-'));
  try {
    const [hook, file] = [join(folder, 'hook.mjs'), join(folder, 'loaded')];
    await writeFile(file, '');
    await writeFile(hook, watching(file));
    const traces = { MILLRACE_TRACES_URL: `http://127.0.0.1:${await freePort()}` };
    const env = { NODE_OPTIONS: `--import=${pathToFileURL(hook).href}`, ...(wanted === 'on' ? traces : {}) };
    await using installation = await Installation.start({ env });
    await deliver(installation.shop());
    // prom-client loads the package of interfaces, which does nothing.
    const loaded = (await readFile(file, 'utf8')).split('\n').filter((line) => line.endsWith('/sdk-trace'));
    expect(new Set(loaded.map((line) => line.split(' ')[0])).size).toBe(threads);
    await eventually(async () => expect((await spansWith(installation, 'failed')) > 0).toBe(wanted === 'on'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
