import { mkdtemp, rm } from 'node:fs/promises';
import { Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { isCancellation } from '../../src/core/millrace-error.ts';
import { AdminClient } from '../../src/cli/client.ts';
import type { SinkName } from '../../src/cli/object-name.ts';
import { findProcess } from '../../src/cli/find-process.ts';
import { onFirstSignal } from '../../src/cli/interruption.ts';
import { printFields, printJson, printTable } from '../../src/cli/print.ts';
import { progressText } from '../../src/cli/progress-text.ts';
import { postBody } from '../../src/cli/send/post-body.ts';
import { showProgress } from '../../src/cli/send/send-progress.ts';
import { parseColumn } from '../../src/cli/sink/parse-column.ts';
import { previewTable } from '../../src/cli/table/preview-table.ts';
import { processTerminal } from '../../src/cli/terminal.ts';
import { Transport } from '../../src/cli/transport.ts';
import { scriptOptions } from '../support/script-options.ts';
import { startProcess } from '../support/process.ts';
import { compareNumbers } from './compare-numbers.ts';
import { compareTables, type Finding, type Row } from './compare-tables.ts';
import { githubDeliveries, type Delivery } from './github-deliveries.ts';
import { eventsSink, rawSink, type DemoSink } from './github-sinks.ts';
import { Narrator } from './narrator.ts';

const help = `npm run demo

Starts the product on a temporary folder, sends real webhooks of GitHub, and compares the tables with what was sent.`;

scriptOptions(help, {});

const branch = 'default';
const sourceId = 'github';

interface Demo {
  readonly narrator: Narrator;
  readonly client: AdminClient;
  readonly signal: AbortSignal;
}

/** Runs the demo on a temporary folder, which goes at the end; resolves with what was found out. */
async function run(narrator: Narrator, signal: AbortSignal): Promise<readonly Finding[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'millrace-demo-'));
  try {
    const env = {
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_OTLP_GRPC_PORT: '0',
    };
    const product = await startProcess({ env });
    try {
      const found = await findProcess({ client: { url: product.admin, token: undefined }, dataDir });
      return await tell({ narrator, client: new AdminClient(new Transport(found, signal)), signal });
    } finally {
      product.kill('SIGTERM');
      await product.ended;
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function tell(demo: Demo): Promise<readonly Finding[]> {
  const { narrator, client } = demo;
  narrator.step('A source for the webhooks of GitHub, and two tables that it fills');
  narrator.command(`source create GitHub --id ${sourceId}`);
  const source = await client.createSource(branch, { name: 'GitHub', sourceId, type: 'http' });
  printFields(narrator.terminal, { url: source.http?.url });
  const sinks = [await createSink(demo, eventsSink), await createSink(demo, rawSink)];

  const deliveries = githubDeliveries();
  const accepted = await sendAll(demo, deliveries, source.http?.url ?? '');
  await Promise.all(sinks.map((sink) => client.flush(sink)));

  await showTable(demo, eventsSink, { limit: 12, select: 'at,repository,action,sender,stars' });
  await showHeaders(demo);
  await showTable(demo, rawSink, { limit: 3 });

  narrator.command(`progress ${sourceId}`);
  const progress = await Promise.all(sinks.map((sink) => client.progress(sink)));
  narrator.say(progressText(progress, narrator.terminal));

  const [events, raw] = await Promise.all([rowsOf(demo, eventsSink), rowsOf(demo, rawSink)]);
  return [
    ...compareNumbers(deliveries.length, { answered: accepted, sinks: progress }),
    ...compareTables(deliveries, { events, raw }),
  ];
}

async function createSink({ narrator, client }: Demo, { name, tableId, columns }: DemoSink): Promise<SinkName> {
  const typed = columns.map((column) => (column.includes('?') ? `'${column}'` : column)).join(' ');
  narrator.command(`sink create ${sourceId} ${name} --table ${tableId} --column ${typed}`);
  const table = { tableId, mapping: { columns: columns.map(parseColumn) } };
  const { sinkId } = await client.createSink({ branch, sourceId }, { name, table });
  return { branch, sourceId, sinkId };
}

/** Sends the deliveries one after another and gives how many were accepted. */
async function sendAll({ narrator, signal }: Demo, deliveries: readonly Delivery[], url: string): Promise<number> {
  const kinds = new Set(deliveries.map(({ event }) => event)).size;
  const bytes = deliveries.reduce((total, { body }) => total + body.length, 0);
  narrator.step(
    `${deliveries.length} webhooks of ${kinds} kinds, ${(bytes / 1e6).toFixed(1)} MB, as GitHub sends them`,
  );
  const progress = showProgress(narrator.terminal, bytes);
  const agent = new Agent({ keepAlive: true });
  const began = performance.now();
  let accepted = 0;
  try {
    for (const delivery of deliveries) {
      const event = { place: `${delivery.event} ${delivery.id}`, body: delivery.body };
      const sent = await postBody(event.body, {
        url,
        headers: delivery.headers,
        tries: 1,
        doubles: false,
        agent,
        signal,
      });
      if (sent.kind === 'accepted') accepted += 1;
      progress.sent([event], sent);
      progress.done(delivery.body.length);
    }
  } finally {
    progress.end();
    agent.destroy();
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  narrator.say(`${accepted} answered with 200 in ${seconds} s, each when it was on disk`);
  return accepted;
}

async function showTable(
  { narrator, client }: Demo,
  { tableId }: DemoSink,
  request: { readonly limit: number; readonly select?: string },
): Promise<void> {
  const { limit, select } = request;
  narrator.command(`table show ${tableId} --limit ${limit}${select === undefined ? '' : ` --select ${select}`}`);
  printTable(narrator.terminal, previewTable(await client.previewTable(tableId, request), narrator.terminal.columns));
}

/** The headers of the first delivery, which are one cell. */
async function showHeaders({ narrator, client }: Demo): Promise<void> {
  const { tableId } = eventsSink;
  narrator.command(`table show ${tableId} --limit 1 --json | jq '.rows[0].headers | fromjson'`);
  const { rows } = await client.previewTable(tableId, { limit: 1, select: 'headers' });
  printJson(narrator.terminal, JSON.parse(rows[0]?.[0]?.value ?? 'null'));
}

async function rowsOf({ client }: Demo, { tableId }: DemoSink): Promise<readonly Row[]> {
  const lines = (await text(await client.exportTable(tableId, 'ndjson'))).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Row);
}

const narrator = new Narrator(processTerminal());
const interruption = new AbortController();
onFirstSignal(() => interruption.abort());
try {
  const findings = await run(narrator, interruption.signal);
  narrator.step('Compared with what was sent');
  for (const finding of findings) narrator.finding(finding);
  const failed = findings.filter(({ against }) => against.length > 0).length;
  narrator.step(
    failed === 0 ? 'Everything is there, exactly once.' : `${failed} of ${findings.length} claims do not hold.`,
  );
  process.exitCode = failed === 0 ? 0 : 1;
} catch (thrown) {
  if (!isCancellation(thrown)) throw thrown;
  process.exitCode = 130;
}
