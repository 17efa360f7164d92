import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseConfig } from '../../config/config.ts';
import { defaultBranch, parseSourceId } from '../../core/ids.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { Definitions } from '../../stages/replica/definitions.ts';
import { DeliveryWorld, never, source as topic } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource, worldSecret } from '../../../test/support/faults/world-source.ts';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
import { Supervised, type Supervise } from '../supervise.ts';
import { systemClock } from '../system-clock.ts';
import { openIngest, type OpenedIngest } from './open-ingest.ts';
import { noHindrances, type SourceHindrances } from './source-hindrances.ts';

const key = { branchId: defaultBranch, sourceId: parseSourceId('shop') };

let world: DeliveryWorld;
let definitions: Definitions;
let leaving: AbortController;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  leaving = new AbortController();
  const { catalog } = world.ports;
  definitions = new Definitions({ catalog, onInvalid: (_, error) => expect.fail(String(error)) });
  await addWorldSource(world);
  await definitions.load(never);
});

const opened: OpenedIngest[] = [];

afterEach(async () => {
  leaving.abort();
  await Promise.all(opened.splice(0).flatMap(({ services }) => services.map((service) => service.drain())));
  await world[Symbol.asyncDispose]();
});

async function open(hindrances: SourceHindrances): Promise<OpenedIngest> {
  const { ingest: limits } = parseConfig({}, '/');
  const bounds = { maxConnections: 10, maxConnectionsPerAddress: 10 };
  const options = {
    clock: systemClock,
    retry: new RetryPacing({ firstMs: 1, capMs: 1 }, Math.random),
    onFailure: () => expect.fail('a listener failed'),
    signal: leaving.signal,
  };
  const supervise: Supervise = (make) => new Supervised(make, options);
  const ingest = await openIngest({
    spec: {
      projectId: 1,
      places: { ingest: { host: '127.0.0.1', port: 0 } },
      limits,
      connections: { ingest: bounds, otlpGrpc: bounds },
      trustedProxies: [],
      corsOrigins: [],
    },
    hindrances,
    ports: world.ports,
    definitions,
    telemetry: silentTelemetry(),
    supervise,
  });
  opened.push(ingest);
  return ingest;
}

async function send({ places }: OpenedIngest): Promise<number> {
  const url = `http://127.0.0.1:${places.ingest.port}/stream/1/shop/${worldSecret}`;
  return (await fetch(url, { method: 'POST', body: '{"at":"0"}' })).status;
}

it('D3, D8: a thread knows from the start why sources take nothing, and goes by what it is told later', async () => {
  const ingest = await open({ ...noHindrances, isDiskFull: true });
  expect(await send(ingest)).toBe(503);
  ingest.hinder(noHindrances);
  expect(await send(ingest)).toBe(200);
  ingest.hinder({ ...noHindrances, ofTopics: new Map([[topic, 'logBehind']]) });
  expect(await send(ingest)).toBe(503);
});

it('D9: senders of a source are refused only when the thread knows that it is disabled', async () => {
  const ingest = await open(noHindrances);
  expect(await send(ingest)).toBe(200);
  let isRefused = false;
  const refused = ingest.sendersRefused(key, never).then(() => (isRefused = true));
  const stamp = { at: new Date(world.clock.now()).toISOString(), by: { type: 'system' } } as const;
  await addWorldSource(world, { disabled: { ...stamp, reason: 'API', withSource: false } });
  await systemClock.sleep(50, never);
  expect(isRefused).toBe(false);
  await definitions.load(never);
  await refused;
  expect(await send(ingest)).not.toBe(200);
});
