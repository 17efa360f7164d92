import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { openLmdbEventLog, type LmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { encodeOutcome } from '../../core/outcome.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { effectiveSettings } from '../../core/settings/effective.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import { silentTelemetry } from '../../../test/support/silent-telemetry.ts';
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

interface Observed {
  /** What its roles wrote. */
  readonly statuses?: readonly SinkStatus[];
  readonly document?: SinkProgress;
  /** Of other sinks. */
  readonly others?: readonly SinkProgress[];
  readonly ranges?: LmdbEventLog['ranges'];
}

/** An observer of the sink, and of others. */
function observer({ statuses = [], document = progress, others = [], ranges = log.ranges.bind(log) }: Observed = {}) {
  const telemetry = silentTelemetry();
  const held = new Map([document, ...others].map((value) => [value.incarnation, { value, revision: 1 }]));
  const configuration = {
    progress: held,
    progressOf: (one: Incarnation) => held.get(one),
    settingsOf: () => effectiveSettings(),
  };
  const catalog = { list: async () => statuses.map((value, index) => ({ id: String(index), revision: 1, value })) };
  const options = { catalog, sourceLog: { ranges }, sinkLog: log, configuration, clock, telemetry };
  const standstills = new Standstills(options as never);
  return {
    held,
    after: async (ms: number) => {
      clock.advance(ms);
      await standstills.look({ signal });
      return standstills.alarmOf(incarnation);
    },
    page: () => telemetry.metrics.registry.metrics(),
  };
}

function statusOf(role: SinkStatus['role'], code: string, of: Pick<SinkStatus, 'partitions'> = {}): SinkStatus {
  const at = new Date(clock.now() + 3_600_000).toISOString();
  return { incarnation, role, code, message: '-', since: at, lastTryAt: at, nextTryAt: at, attempts: 1, ...of };
}

/** A document of the sink while an import runs. */
const loading: SinkProgress = {
  ...progress,
  importing: { number: 1, id: 'i', startedAt: 0, slices: [sliceOf({ id: 'a', from: -1, to: 4 })] },
};

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
  const { after } = observer({ statuses: [statusOf('map', 'log.unavailable')] });
  await append(topics.source, Buffer.from('{}'));
  await after(0);
  expect(await after(600_000)).toBeUndefined();
});

it('L4: a source that does not answer holds up a look once, however many sinks it has', async () => {
  const asked: string[] = [];
  const ranges: LmdbEventLog['ranges'] = (topic) => {
    asked.push(topic);
    return Promise.reject(new MillraceError('log.unavailable', 'there is no leader'));
  };
  const others = [2, 3].map((number) => ({ ...progress, incarnation: parseIncarnation(number) }));
  await observer({ ranges, others }).after(0);
  expect(asked).toEqual([topics.source]);
});

it('L4: a look at the topics that fails closes no alarm, and forgets no time', async () => {
  let looks = 0;
  const ranges: LmdbEventLog['ranges'] = (...given) => {
    looks += 1;
    return looks % 4 === 0
      ? Promise.reject(new MillraceError('log.unavailable', 'a broker moved'))
      : log.ranges(...given);
  };
  const { after } = observer({ ranges });
  await append(topics.source, Buffer.from('{}'));
  const alarms: (string | undefined)[] = [];
  for (let look = 0; look < 20; look += 1) alarms.push(await after(15_000));
  expect(alarms.slice(0, 4)).toEqual([undefined, undefined, undefined, undefined]);
  for (const alarm of alarms.slice(4)) expect(alarm).toMatch(/^The stage "map" has not moved at partition 0/);
});

it('L4: a stage of which nothing was seen but that it had work is not told while its topics cannot be read', async () => {
  let isAway = false;
  const ranges: LmdbEventLog['ranges'] = (...given) =>
    isAway ? Promise.reject(new MillraceError('log.unavailable', 'away')) : log.ranges(...given);
  const { after } = observer({ ranges });
  await append(topics.source, Buffer.from('{}'));
  await after(0);
  isAway = true;
  expect(await after(3_600_000)).toBeUndefined();
  isAway = false;
  expect(await after(0)).toMatch(/^The stage "map" has not moved at partition 0 for 3600 seconds/);
});

it('L4: an import that hangs is told, though no topic can be read, until its role says why', async () => {
  const ranges = () => Promise.reject(new MillraceError('log.unavailable', 'away'));
  const { after } = observer({ ranges, document: loading });
  await after(0);
  expect(await after(3_000_000)).toMatch(/^The stage "import" has not moved for 3000 seconds/);
  expect(await after(15_000)).toMatch(/^The stage "import" has not moved for 3015 seconds/);
  const explained = observer({ ranges, document: loading, statuses: [statusOf('import', 'tables.unavailable')] });
  await explained.after(0);
  expect(await explained.after(3_000_000)).toBeUndefined();
});

it('L4: the alarm of a sink closes when the sink goes', async () => {
  const { after, held, page } = observer();
  await append(topics.source, Buffer.from('{}'));
  await after(0);
  await after(75_000);
  expect(await page()).toContain('millrace_open_alarms{role="map",code="sink.standstill"} 1');
  held.clear();
  expect(await after(15_000)).toBeUndefined();
  expect(await page()).toContain('millrace_open_alarms{role="map",code="sink.standstill"} 0');
});

it('L4: says nothing of a stage behind an open transaction of another producer', async () => {
  const ranges: LmdbEventLog['ranges'] = async (...given) =>
    (await log.ranges(...given)).map((range) => ({ ...range, stableEnd: 0 }));
  const { after } = observer({ ranges });
  await append(topics.source, Buffer.from('{}'));
  await after(0);
  expect(await after(3_600_000)).toBeUndefined();
});

it('L4: a partition that says why it stands does not hide another one that says nothing', async () => {
  await append(topics.source, Buffer.from('{}'));
  const afterTenMinutes = async (partitions: readonly number[]) => {
    const { after } = observer({ statuses: [statusOf('map', 'progress.gap', { partitions })] });
    await after(0);
    return after(600_000);
  };
  expect(await afterTenMinutes([1])).toMatch(/^The stage "map" has not moved at partition 0/);
  expect(await afterTenMinutes([1, 0])).toBeUndefined();
});

it('L4: the alarm of a damaged slice does not hide an import that hangs', async () => {
  const damaged = statusOf('import', 'objects.corrupt', { partitions: [0] });
  const { after } = observer({ document: loading, statuses: [damaged] });
  await after(0);
  expect(await after(3_000_000)).toMatch(/^The stage "import" has not moved/);
});
