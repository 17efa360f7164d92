import { afterEach, beforeEach, expect, it } from 'vitest';
import { ReplicaDirectory } from '../../src/stages/ingest/accept/replica-directory.ts';
import { sourceRefusal } from '../../src/runtime/composition/source-hindrances.ts';
import { silentIngest } from '../support/silent-ingest.ts';
import { createIngest, type Ingest } from '../support/create-ingest.ts';
import { Configuration } from '../../src/stages/replica/configuration.ts';
import { Retention } from '../../src/stages/retain/retention.ts';
import { DeliveryWorld, never, source as topic } from '../support/faults/delivery-world.ts';
import { addWorldSource, worldSecret } from '../support/faults/world-source.ts';

let world: DeliveryWorld;

beforeEach(async () => {
  world = await DeliveryWorld.open();
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

interface Listening extends AsyncDisposable {
  readonly ingest: Ingest;
  readonly retention: Retention;
}

/** Ingest and retention as the embedded process puts them together. */
async function listening(): Promise<Listening> {
  const { catalog, sourceLog } = world.ports;
  const configuration = new Configuration({ catalog, onInvalid: (_, error) => expect.fail(String(error)) });
  await configuration.load(never);
  const observer = {
    neededRecordsRemoved: () => undefined,
    retentionFailed: () => undefined,
    clockDoubted: () => undefined,
    clockTrusted: () => undefined,
    documentsUnread: () => expect.fail('a document'),
  };
  const retention = new Retention({ configuration, catalog, sourceLog, clock: world.clock, observer });
  const refusal = (source: Parameters<typeof sourceRefusal>[0]) =>
    sourceRefusal(source, { isDiskFull: false, ofTopics: retention.hindrances });
  const sources = new ReplicaDirectory({ definitions: configuration, projectId: 1, refusal });
  retention.listen(() => sources.changed());
  const ingest = createIngest({ log: sourceLog, sources, clock: world.clock, telemetry: silentIngest });
  await ingest.start();
  await retention.round(never);
  return { ingest, retention, [Symbol.asyncDispose]: () => ingest[Symbol.asyncDispose]() };
}

async function send({ ingest }: Listening, body = '{"at":"0"}'): Promise<readonly [number, string | null, string]> {
  const url = `http://127.0.0.1:${ingest.address()?.port ?? 0}/stream/1/shop/${worldSecret}`;
  const answer = await fetch(url, { method: 'POST', body });
  return [answer.status, answer.headers.get('retry-after'), await answer.text()];
}

it('D3: senders of a source whose log was set back get 503 with Retry-After, and 200 once it is restored', async () => {
  const sink = await world.addSink();
  await addWorldSource(world);
  await world.produce(10);
  await world.copy('source-log');
  await world.member('main').start();
  await world.produce(10);
  await world.delivered(sink);
  await world.restore('source-log');
  await using product = await listening();
  const [status, retryAfter, body] = await send(product);
  expect([status, retryAfter]).toEqual([503, '60']);
  expect(JSON.parse(body)).toMatchObject({
    statusCode: 503,
    error: 'stream.in.logBehind',
    message:
      'The log of source "shop" ends before events that its sinks have taken already: events are taken again when log and catalog are restored from the same moment.',
  });
  const [range] = await world.ports.sourceLog.ranges(topic, never);
  expect(range?.durableEnd, 'nothing was appended').toBe(10);
  // As long as the log that was lost: it stands for that one, brought back.
  await world.produce(10);
  await product.retention.round(never);
  expect((await send(product))[0]).toBe(200);
});

it('D8: senders of a source whose budget is spent get 503 with Retry-After, and 200 once its sinks have caught up', async () => {
  const sink = await world.addSink();
  await addWorldSource(world, { settings: { 'log.retention.size': '1MB' } });
  await using product = await listening();
  const large = JSON.stringify({ at: 'x'.repeat(700_000) });
  for (let sent = 0; sent < 2; sent += 1) expect((await send(product, large))[0]).toBe(200);
  await product.retention.round(never);
  const [status, retryAfter, body] = await send(product);
  expect([status, retryAfter]).toEqual([503, '10']);
  expect(JSON.parse(body)).toMatchObject({ error: 'stream.in.budgetSpent' });
  await world.member('main').start();
  await world.delivered(sink);
  await using after = await listening();
  expect((await send(after))[0]).toBe(200);
});
