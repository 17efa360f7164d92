import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../test/support/fake-clock.ts';
import { progressOf } from '../../test/support/progress-of.ts';
import { openLmdbEventLog, type LmdbEventLog } from '../adapters/lmdb/event-log.ts';
import { parseIncarnation } from '../core/ids.ts';
import { encodeOutcome } from '../core/outcome.ts';
import { effectiveSettings } from '../core/settings/effective.ts';
import type { SinkStatus } from '../core/sink-status.ts';
import { silentTelemetry } from '../telemetry/silent-telemetry.ts';
import { Standstills } from './standstills.ts';

const { signal } = new AbortController();
const clock = new FakeClock();
const progress = progressOf(0);
const { incarnation, topics } = progress;

let folder: string;
let log: LmdbEventLog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-standstill-'));
  log = await openLmdbEventLog({ path: join(folder, 'log'), instance: 'main', first: true, clock });
  for (const name of [topics.source, topics.sink]) await log.createTopic({ name, partitions: 1 }, { signal });
});

afterEach(async () => {
  await log[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const append = (topic: string, value: Uint8Array) =>
  log.append({ topic, partition: 0 }, [{ value, headers: [], timestamp: 0 }], { signal });

/** An observer of one sink, with statuses that its roles wrote. */
function observer(statuses: readonly SinkStatus[] = []) {
  const telemetry = silentTelemetry();
  const held = { value: progress, revision: 1 };
  const configuration = {
    progress: new Map([['1', held]]),
    progressOf: () => held,
    settingsOf: () => effectiveSettings(),
  };
  const catalog = { list: async () => statuses.map((value, index) => ({ id: String(index), revision: 1, value })) };
  const options = { catalog, sourceLog: log, sinkLog: log, configuration, clock, telemetry };
  const standstills = new Standstills(options as never);
  return {
    after: async (ms: number) => {
      clock.advance(ms);
      await standstills.look({ signal });
      return standstills.alarmOf(incarnation);
    },
    page: () => telemetry.metrics.registry.metrics(),
  };
}

it('L4: tells in words, and as an open alarm, which stage does not move, until it does', async () => {
  const { after, page } = observer();
  expect(await after(0)).toBeUndefined();
  expect(await after(3_600_000)).toBeUndefined();
  await append(topics.source, Buffer.from('{}'));
  expect(await after(0)).toBeUndefined();
  expect(await after(75_000)).toMatch(/^The stage "map" has not moved at partition 0 for 75 seconds/);
  expect(await page()).toContain('millrace_open_alarms{role="map",code="sink.standstill"} 1');
  await append(topics.sink, encodeOutcome({ kind: 'filtered', from: -1, to: 0, mappingVersion: 1 }));
  expect(await after(15_000)).toBeUndefined();
  expect(await page()).toContain('millrace_open_alarms{role="map",code="sink.standstill"} 0');
  expect(await after(3_600_000)).toMatch(/^The stage "stage" has not moved/);
});

it('L4: says nothing of a stage that says itself why it stopped', async () => {
  const at = new Date(clock.now() + 3_600_000).toISOString();
  const status: SinkStatus = {
    incarnation: parseIncarnation(1),
    role: 'map',
    code: 'log.unavailable',
    message: 'no answer',
    since: at,
    lastTryAt: at,
    nextTryAt: at,
    attempts: 1,
  };
  const { after } = observer([status]);
  await append(topics.source, Buffer.from('{}'));
  await after(0);
  expect(await after(600_000)).toBeUndefined();
});
