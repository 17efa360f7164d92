import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { dataFolder, prepareDataFolder } from '../embedded/data-folder.ts';
import { openEmbeddedPorts } from '../embedded/embedded-ports.ts';
import { observedPorts } from './observed-ports.ts';
import type { Ports } from './ports.ts';

const never = { signal: new AbortController().signal };
let path: string;
let stack: AsyncDisposableStack;
let telemetry: Telemetry;
let given: Ports;
let ports: Ports;

beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), 'millrace-observed-'));
  const folder = dataFolder(path);
  prepareDataFolder(folder);
  stack = new AsyncDisposableStack();
  telemetry = silentTelemetry();
  given = await openEmbeddedPorts(folder, { instance: 'main', first: true, onBroken: () => undefined }, stack);
  ports = observedPorts(given, { telemetry, joined: 'sourceLog' });
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(path, { recursive: true });
});

const page = (): Promise<string> => telemetry.metrics.registry.metrics();

it('calls of stores are measured, those that fail, too, and answer as before', async () => {
  const write = { collection: 'meta', id: 'a', expected: undefined, value: { n: 1 } } as const;
  expect((await ports.catalog.compareAndSet(write, never)).kind).toBe('written');
  expect((await ports.catalog.get('meta', 'a', never))?.value).toEqual({ n: 1 });
  await expect(ports.objects.get('nothing', never)).rejects.toThrow(/nothing/);
  const count = (store: string, operation: string): string =>
    `millrace_store_duration_seconds_count{store="${store}",operation="${operation}"} 1`;
  expect(await page()).toContain(count('catalog', 'compareAndSet'));
  expect(await page()).toContain(count('catalog', 'get'));
  expect(await page()).toContain(count('staging', 'get'));
});

it('the log to which events are appended is the one that was given', () => {
  expect(ports.sinkLog).toBe(given.sinkLog);
});

it('a member of a group tells how much it holds, and each change of it', async () => {
  await ports.sourceLog.createTopic({ name: 'source.1.shop', partitions: 3 }, never);
  const member = await ports.sourceLog.join({ group: 'map', member: 'one' }, never);
  await member.subscribe(['source.1.shop'], never);
  await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, never);
  expect(await page()).toContain('millrace_group_partitions{group="map"} 3');
  expect(await page()).toContain('millrace_group_rebalances_total{group="map"} 0');
  await ports.sourceLog.createTopic({ name: 'source.1.crm', partitions: 1 }, never);
  await member.subscribe(['source.1.shop', 'source.1.crm'], never);
  await member.poll({ maxBytes: 1, maxWaitMs: 1000 }, never);
  expect(await page()).toContain('millrace_group_partitions{group="map"} 4');
  expect(await page()).toContain('millrace_group_rebalances_total{group="map"} 1');
  await member[Symbol.asyncDispose]();
  expect(await page()).toContain('millrace_group_partitions{group="map"} 0');
});
