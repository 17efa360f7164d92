import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { openKafkaEventLog } from '../../../src/adapters/kafka/event-log.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { silentIngest } from '../../support/silent-ingest.ts';
import { createIngest } from '../../support/create-ingest.ts';
import { testSecret, testSource } from '../../support/ingest-harness.ts';
import { startKafkaBrokers, type KafkaBroker, type KafkaBrokers } from '../../support/kafka-brokers.ts';
import { startToxiproxy } from '../../support/toxiproxy.ts';

// What senders see while brokers are away: `node test/chaos/brokers/measure.ts [session=9000] [senders=60] [only=silent]`. Nothing is
// judged here; it prints a table.

const given = (name: string): string | undefined =>
  process.argv.find((text) => text.startsWith(`${name}=`))?.slice(name.length + 1);
const sessionTimeoutMs = Number(given('session') ?? 9000);
const senders = Number(given('senders') ?? 60);
/** Of titles. */
const only = given('only') ?? '';
const topic = 'source.1.orders';
const partitions = 6;
const pauseMs = 20;
const lateMs = 1000;

interface Answer {
  readonly status: number;
  readonly ms: number;
  /** Since the fault began. */
  readonly atMs: number;
}

/** Sends one event after another from each sender until told to stop. */
async function sendUntil(port: number, signal: AbortSignal): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const began = performance.now();
  const agent = new Agent({ keepAlive: true, maxSockets: senders });
  const one = async (): Promise<void> => {
    while (!signal.aborted) {
      const sent = performance.now();
      const status = await post(agent, port);
      answers.push({ status, ms: performance.now() - sent, atMs: sent - began });
      await sleep(pauseMs);
    }
  };
  await Promise.all(Array.from({ length: senders }, one));
  agent.destroy();
  return answers;
}

function post(agent: Agent, port: number): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const path = `/stream/1/orders/${testSecret}`;
  const sent = request({ agent, port, host: '127.0.0.1', method: 'POST', path }, (response) => {
    response.resume().on('end', () => resolve(response.statusCode ?? 0));
  });
  sent.on('error', () => resolve(0)).end('{"n":1}');
  return promise;
}

function tell(title: string, answers: readonly Answer[]): void {
  const late = answers.filter(({ ms }) => ms > lateMs).length;
  process.stdout.write(`\n${title}: ${answers.length} requests, ${late} took over ${lateMs} ms\n`);
  for (const [status, own] of Map.groupBy(answers, (answer) => answer.status)) {
    const times = own.map(({ ms }) => ms).toSorted((a, b) => a - b);
    const at = (share: number): string => (times[Math.floor(share * (times.length - 1))] ?? 0).toFixed(0);
    const last = Math.max(...own.map(({ atMs, ms }) => atMs + ms));
    process.stdout.write(
      `  ${status}: ${own.length}, p50 ${at(0.5)}, p99 ${at(0.99)}, max ${at(1)} ms; last at ${(last / 1000).toFixed(1)} s\n`,
    );
  }
}

async function during(port: number, fault: () => Promise<void>): Promise<readonly Answer[]> {
  const stop = new AbortController();
  const sending = sendUntil(port, stop.signal);
  await fault();
  stop.abort();
  return sending;
}

type Scenario = (kafka: KafkaBrokers) => Promise<void>;

function node(kafka: KafkaBrokers, id: number): KafkaBroker {
  const found = kafka.nodes.find((one) => one.id === id);
  if (found === undefined) throw new Error(`there is no broker ${id}`);
  return found;
}

const scenarios: Readonly<Record<string, Scenario>> = {
  'all is well': () => sleep(5000),
  'one broker of three is killed': async (kafka) => {
    await node(kafka, 2).kill();
    await sleep(25_000);
    await node(kafka, 2).start();
  },
  'one broker of three hangs for 30 s, for senders and brokers alike': async (kafka) => {
    await node(kafka, 2).freeze();
    await sleep(30_000);
    node(kafka, 2).thaw();
    await sleep(5000);
  },
  'one leader of three is silent for senders alone, for 30 s': async (kafka) => {
    const { way } = node(kafka, 2);
    await way?.spoil({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
    await sleep(30_000);
    await way?.heal();
    await sleep(5000);
  },
  'two brokers of three are killed, and started after 45 s': async (kafka) => {
    const two = [node(kafka, 2), node(kafka, 3)];
    await Promise.all(two.map((one) => one.kill()));
    await sleep(45_000);
    await Promise.all(two.map((one) => one.start()));
    await sleep(15_000);
  },
};

async function spread(kafka: KafkaBrokers): Promise<void> {
  await kafka.inSync(topic);
  for (let partition = 0; partition < partitions; partition += 1)
    await kafka.moveLeader({ topic, partition }, (partition % 3) + 1);
}

await using proxy = await startToxiproxy();
await using kafka = await startKafkaBrokers({ sessionTimeoutMs, proxy });
await using log = openKafkaEventLog({ brokers: kafka.brokers.split(','), clientId: 'measure' });
await log.createTopic({ name: topic, partitions }, { signal: new AbortController().signal });
const directory = { version: 1, find: () => [testSource({ topic, partitions })], all: () => [] };
const dependencies = { log, sources: directory, clock: systemClock, telemetry: silentIngest };
await using ingest = createIngest(dependencies);
await ingest.start();
const stopped = new AbortController();
const running = ingest.run(stopped.signal);
for (const [title, scenario] of Object.entries(scenarios)) {
  if (!title.includes(only)) continue;
  await spread(kafka);
  tell(title, await during(ingest.address()?.port ?? 0, () => scenario(kafka)));
}
stopped.abort();
await running;
