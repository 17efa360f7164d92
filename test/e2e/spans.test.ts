import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startCollector, whyNoCollector } from '../support/collector.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { Installation } from '../support/installation.ts';
import { makingMs } from '../support/made-once.ts';
import { logsRequest } from '../support/otlp-messages.ts';
import { madeTrace, namesOf, post } from '../support/made-trace.ts';
import { SpanServer } from '../support/span-server.ts';

let server: SpanServer;
let installation: Installation;

beforeAll(async () => {
  server = await SpanServer.start();
  installation = await Installation.start({ env: { MILLRACE_TRACES_URL: server.url, MILLRACE_TRACES_RATIO: '0' } });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

/** The spans of a request that is followed to one sink. */
const allOf = (source: string, sink: string): readonly string[] =>
  [`accept ${source}`, ...['map', 'stage', 'upload', 'import'].map((what) => `${what} ${source}/${sink}`)].toSorted();

it('H1: a request that is sampled can be followed from its answer to the import in each sink', async () => {
  const shop = installation.shop('followed');
  await shop.create([
    { sinkId: 'one', tableId: 'in.c-followed.one' },
    { sinkId: 'two', tableId: 'in.c-followed.two' },
  ]);
  const { traceId, spanId, traceparent } = madeTrace();
  expect(await post(await shop.url(), '{"n":1}', { traceparent, tracestate: 'vendor=7' })).toBe(200);
  const names = ['one', 'two'].flatMap((sink) =>
    ['map', 'stage', 'upload', 'import'].map((what) => `${what} followed/${sink}`),
  );
  await eventually(async () => expect(namesOf(server.of(traceId))).toEqual(['accept followed', ...names].toSorted()));
  const spans = new Map(server.of(traceId).map((span) => [span.name, span]));
  const accept = spans.get('accept followed');
  expect(accept).toMatchObject({
    parentId: spanId,
    state: 'vendor=7',
    failure: undefined,
    attributes: { 'http.response.status_code': 200, 'millrace.source': 'followed', 'messaging.batch.message_count': 1 },
    resource: { 'service.name': 'millrace', 'thread.name': 'ingest' },
  });
  for (const sink of ['one', 'two']) {
    const [map, stage, upload, imported] = ['map', 'stage', 'upload', 'import'].map((what) =>
      spans.get(`${what} followed/${sink}`),
    );
    expect(map?.parentId).toBe(accept?.spanId);
    expect(stage?.parentId).toBe(map?.spanId);
    expect(upload?.parentId).toBe(stage?.spanId);
    expect(imported?.parentId).toBe(stage?.spanId);
    expect(map?.attributes).toMatchObject({
      'millrace.sink': sink,
      'messaging.destination.partition.id': '0',
      'millrace.offset.first': 0,
      'millrace.outcomes.row': 1,
    });
    expect(stage?.attributes).toMatchObject({ 'millrace.slice.rows': 1, 'millrace.offset.last': 0 });
    expect(imported?.attributes).toMatchObject({ 'millrace.import': 1, 'millrace.table': `in.c-followed.${sink}` });
    for (const span of [map, stage, upload, imported])
      expect(span?.endedAt).toBeGreaterThanOrEqual(span?.startedAt ?? 0);
  }
});

it('H1: requests of one slice and one import are linked to the spans of that work, and each is followed by itself', async () => {
  const shop = installation.shop('linked');
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-linked.rows' }], { uploadCount: 100, uploadInterval: '30m' });
  const [first, second] = [madeTrace(), madeTrace()];
  for (const { traceparent } of [first, second])
    expect(await post(await shop.url(), '{"n":1}', { traceparent })).toBe(200);
  await shop.flush('rows');
  await eventually(() => {
    for (const name of ['stage linked/rows', 'import linked/rows']) {
      const [own] = server.spans.filter((span) => span.name === name && span.parentId === '');
      expect(own?.links).toHaveLength(2);
      for (const { traceId } of [first, second]) {
        expect(own?.traceId).not.toBe(traceId);
        const [share] = server.of(traceId).filter((span) => span.name === name);
        expect(share?.links).toEqual([{ traceId: own?.traceId, spanId: own?.spanId }]);
      }
    }
  });
});

it('H1: the events of a batch, and what is filtered or refused of them, are in the trace of their request', async () => {
  const shop = installation.shop('batch');
  const strict = [{ type: 'path', name: 'n', path: 'n' }];
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-batch.rows', columns: strict }]);
  const { traceId, traceparent } = madeTrace();
  const lines = '{"n":1}\n{"m":1}\n{"n":2}\n';
  const headers = { traceparent, 'Content-Type': 'application/x-ndjson' };
  expect(await post(await shop.url(), lines, headers)).toBe(200);
  await eventually(() => expect(namesOf(server.of(traceId))).toEqual(allOf('batch', 'rows')));
  const spans = server.of(traceId);
  expect(spans.find(({ name }) => name === 'map batch/rows')?.attributes).toMatchObject({
    'messaging.batch.message_count': 3,
    'millrace.outcomes.row': 2,
    'millrace.outcomes.dead': 1,
  });
  expect(spans.find(({ name }) => name === 'import batch/rows')?.attributes['messaging.batch.message_count']).toBe(3);
});

it('H2, H3: a flag that says no, and a text that breaks the standard, make no span, and no difference to the event', async () => {
  const shop = installation.shop('unsampled');
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-unsampled.rows' }]);
  const refused = madeTrace('00');
  const before = server.spans.length;
  const texts = [
    refused.traceparent,
    'nonsense',
    `ff${madeTrace().traceparent.slice(2)}`,
    madeTrace().traceparent.toUpperCase(),
  ];
  for (const [n, traceparent] of texts.entries())
    expect(await post(await shop.url(), `{"n":${n}}`, { traceparent })).toBe(200);
  const wanted = madeTrace();
  expect(await post(await shop.url(), '{"n":4}', wanted)).toBe(200);
  await eventually(async () => expect(await shop.numbersIn('in.c-unsampled.rows')).toEqual([0, 1, 2, 3, 4]));
  await eventually(async () => expect(namesOf(server.of(wanted.traceId))).toEqual(allOf('unsampled', 'rows')));
  const others = server.spans.slice(before).filter(({ name }) => name.includes('unsampled'));
  expect(namesOf(others.filter(({ name }) => /^(accept|map)/.test(name)))).toEqual([
    'accept unsampled',
    'map unsampled/rows',
  ]);
});

it('H4: a table has the headers that the client sent, and nothing of ours', async () => {
  const shop = installation.shop('headers');
  const columns = [{ type: 'headers', name: 'headers' }];
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-headers.rows', columns }]);
  const { traceparent } = madeTrace();
  expect(await post(await shop.url(), '{}', { traceparent, tracestate: 'a=1', 'Millrace-Traceparent': 'mine' })).toBe(
    200,
  );
  const [row] = await eventually(async () => {
    const rows = await shop.api.rows('in.c-headers.rows');
    expect(rows).toHaveLength(1);
    return rows;
  });
  const headers = JSON.parse(String(row?.['headers'])) as Record<string, string>;
  expect(headers).toMatchObject({ Traceparent: traceparent, Tracestate: 'a=1' });
  expect(Object.keys(headers).filter((name) => name.toLowerCase().startsWith('millrace-'))).toEqual([]);
});

/** Sends two log records over gRPC. */
async function call(address: string, sent: { readonly secret: string; readonly traceparent: string }): Promise<void> {
  const client = new Client(new URL(address).host, credentials.createInsecure());
  const metadata = new Metadata();
  metadata.set('authorization', `Bearer ${sent.secret}`);
  metadata.set('traceparent', sent.traceparent);
  const method = '/opentelemetry.proto.collector.logs.v1.LogsService/Export';
  const same = (bytes: Buffer): Buffer => bytes;
  await new Promise<void>((resolve, reject) => {
    client.makeUnaryRequest(method, same, same, logsRequest(2), metadata, (error) =>
      error === null ? resolve() : reject(error),
    );
  });
  client.close();
}

it('H1: requests of OTLP are followed, too, over HTTP and gRPC', async () => {
  const shop = installation.shop('otel');
  await shop.create(
    [{ sinkId: 'rows', tableId: 'in.c-otel.rows', columns: [{ type: 'uuid', name: 'id' }] }],
    {},
    'otlp',
  );
  const { otlp } = await shop.api.call<{ otlp: { url: string; secret: string } }>('GET', shop.path);
  const { traceId, spanId, traceparent } = madeTrace();
  const called = madeTrace();
  await call(installation.process.otlpGrpc, { secret: otlp.secret, traceparent: called.traceparent });
  const body = new Uint8Array(logsRequest(3));
  const answer = await fetch(`${otlp.url}/v1/logs`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/x-protobuf', traceparent },
  });
  expect(answer.status).toBe(200);
  await eventually(() => expect(namesOf(server.of(traceId))).toEqual(allOf('otel', 'rows')));
  const accept = server.of(traceId).find(({ name }) => name === 'accept otel');
  expect(accept).toMatchObject({ parentId: spanId, attributes: { 'messaging.batch.message_count': 3 } });
  await eventually(() => expect(namesOf(server.of(called.traceId))).toEqual(allOf('otel', 'rows')));
  const ofCall = server.of(called.traceId).find(({ name }) => name === 'accept otel');
  expect(ofCall).toMatchObject({
    parentId: called.spanId,
    attributes: { 'rpc.system': 'grpc', 'rpc.grpc.status_code': 0, 'messaging.batch.message_count': 2 },
  });
});

it('H7: a trace goes on over kills, before its slice is sealed and before its import', async () => {
  const shop = installation.shop('killed');
  const slow = { uploadCount: 1000, uploadInterval: '4s', importCount: 1000, importInterval: '30m' };
  await shop.create([{ sinkId: 'rows', tableId: 'in.c-killed.rows' }], slow);
  const { traceId, traceparent } = madeTrace();
  const named = (what: string) => server.of(traceId).find(({ name }) => name === `${what} killed/rows`);
  expect(await post(await shop.url(), '{"n":1}', { traceparent })).toBe(200);
  await eventually(async () => expect(named('map')).toBeDefined());
  await installation.stop('SIGKILL');
  await installation.start();
  await eventually(async () => expect(named('upload')).toBeDefined());
  await installation.stop('SIGKILL');
  await installation.start();
  await installation.shop('killed').flush('rows');
  await eventually(() => expect([named('stage'), named('import')]).not.toContain(undefined));
  expect(named('stage')?.parentId).toBe(named('map')?.spanId);
  expect(named('import')?.parentId).toBe(named('stage')?.spanId);
  expect(await installation.shop('killed').numbersIn('in.c-killed.rows')).toEqual([1]);
});

const missing = await whyNoCollector();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

it.skipIf(missing !== undefined)(
  'H1: the OpenTelemetry Collector takes the spans, and hands them on with all that is in them',
  { timeout: makingMs },
  async () => {
    const port = await freePort();
    await using behind = await SpanServer.start();
    await using _collector = await startCollector([
      JSON.stringify({
        receivers: { otlp: { protocols: { http: { endpoint: `127.0.0.1:${port}` } } } },
        exporters: { otlp_http: { endpoint: behind.url, encoding: 'json', compression: 'none' } },
        service: {
          pipelines: { traces: { receivers: ['otlp'], exporters: ['otlp_http'] } },
          telemetry: { metrics: { level: 'none' } },
        },
      }),
    ]);
    await using own = await Installation.start({
      env: { MILLRACE_TRACES_URL: `http://127.0.0.1:${port}`, MILLRACE_TRACES_RATIO: '1', MILLRACE_QUICK: 'true' },
    });
    const shop = own.shop('forwarded');
    await shop.create([{ sinkId: 'rows', tableId: 'in.c-forwarded.rows' }]);
    expect(await post(await shop.url(), '{"n":1}', {})).toBe(200);
    await eventually(() => {
      const root = behind.spans.find(({ name }) => name === 'accept forwarded');
      expect(root?.parentId, 'H3: a share of 1 begins a trace').toBe('');
      const spans = behind.of(root?.traceId ?? '');
      expect(namesOf(spans)).toEqual(allOf('forwarded', 'rows'));
      expect(spans.find(({ name }) => name.startsWith('import'))?.attributes['millrace.table']).toBe(
        'in.c-forwarded.rows',
      );
    });
  },
);
