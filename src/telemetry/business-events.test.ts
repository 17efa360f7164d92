import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { progressOf, sliceOf } from '../../test/support/progress-of.ts';
import type { BranchId, Incarnation, SinkId, SinkKey, SourceId } from '../core/ids.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { Outcome } from '../core/outcome.ts';
import type { Source } from '../core/source.ts';
import type { SinkStatus } from '../core/sink-status.ts';
import { parseTableId } from '../core/table-id.ts';
import { createLogger, type Logger } from './logger.ts';
import type { LogLevel } from './log-level.ts';
import { createMetrics } from './metrics.ts';
import { mergeMetrics, snapshotMetrics } from './metrics-snapshot.ts';
import { observeAppends } from './observe-appends.ts';
import { observeImport } from './observe-import.ts';
import { observeIngest } from './observe-ingest.ts';
import { observeMap } from './observe-map.ts';
import { totalsOf } from './outcome-totals.ts';
import { observeRetention } from './observe-retention.ts';
import { observeStage } from './observe-stage.ts';
import { serviceFailed } from './process-life.ts';
import { alarmClosed, alarmOpened } from './sink-alarm.ts';
import { SinkSeries } from './sink-gauges.ts';
import { tellFewConnections } from './few-connections.ts';
import { tableLogCut } from './table-log-cut.ts';
import type { Telemetry } from './telemetry.ts';

const key: SinkKey = { branchId: 1 as BranchId, sourceId: 'shop' as SourceId, sinkId: 'orders' as SinkId };
const incarnation = 7 as Incarnation;
const labels = '{branch="1",source="shop",sink="orders"';
const progress = { ...progressOf(0), key, incarnation };
const freshness = { now: () => 200_000, targetMs: () => 180_000, countsSince: () => 0 };

const line = (kind: 'row' | 'dead'): Outcome => ({
  kind,
  from: 0,
  to: 1,
  mappingVersion: 1,
  arrivedAt: 0,
  line: Buffer.from('x'),
});
const rows = (count: number): readonly Outcome[] => Array.from({ length: count }, () => line('row'));
const ran = (kind: 'filtered', from: number, to: number): Outcome => ({ kind, from, to, mappingVersion: 1 });

interface Recorded {
  readonly telemetry: Telemetry;
  readonly lines: () => readonly Record<string, unknown>[];
}

function recorded(level: LogLevel = 'info'): Recorded {
  const written: string[] = [];
  const log: Logger = createLogger({ level, role: 'test', stream: { write: (line) => void written.push(line) } });
  return {
    telemetry: { log, metrics: createMetrics() },
    lines: () => written.map((line) => JSON.parse(line) as Record<string, unknown>),
  };
}

async function page(...all: readonly Telemetry[]): Promise<string> {
  const snapshots = await Promise.all(all.map(({ metrics }) => snapshotMetrics(metrics.registry)));
  return (await mergeMetrics(structuredClone(snapshots))).text;
}

describe('an event of the business', () => {
  it('shows of an error of a driver no request and no row that hangs on it', () => {
    const { telemetry, lines } = recorded();
    const refused = Object.assign(new Error('refused'), { code: '22P02', where: 'a cell', StringToSign: 'a request' });
    const thrown = new MillraceError('table.invalidContent', 'no', { cause: refused });
    telemetry.log.error({ err: thrown }, 'something failed');
    expect(lines()).toMatchObject([{ err: { cause: { type: 'Error', message: 'refused', code: '22P02' } } }]);
    expect(JSON.stringify(lines())).not.toMatch(/a cell|a request/);
  });

  it('is one log line with its values beside the message, and its counters', async () => {
    const { telemetry, lines } = recorded();
    const slice = sliceOf({ id: 's1', from: -1, to: 3, rows: 3, dead: 1 });
    const tableId = parseTableId('in.c-shop.orders');
    observeStage(telemetry, freshness).sliceSealed(progress, { slice, cause: 'count' });
    observeImport(telemetry, freshness).importFinished(progress, {
      number: 4,
      slices: [slice],
      tableId,
      durationMs: 200,
    });
    expect(lines().map(({ msg }) => msg)).toEqual(['slice sealed', 'import finished']);
    expect(lines()[0]).toMatchObject({
      level: 'info',
      sourceId: 'shop',
      sinkId: 'orders',
      cause: 'count',
      rows: 3,
      bytes: 30,
    });
    expect(lines()[1]).toMatchObject({ number: 4, tableId, slices: 1, rows: 3, dead: 1, seconds: 0.2 });
    const text = await page(telemetry);
    expect(text).toContain(`millrace_stage_slices_total${labels},cause="count"} 1`);
    expect(text).toContain(`millrace_stage_rows_total${labels}} 3`);
    expect(text).toContain(`millrace_stage_bytes_total${labels}} 30`);
    expect(text).toContain(`millrace_import_rows_total${labels}} 3`);
    expect(text).toContain(`millrace_import_dead_letters_total${labels}} 1`);
    expect(text).toContain('millrace_import_duration_seconds_count 1');
  });

  it('D2: a topic that lost outcomes, and what retention removed, are counted', async () => {
    const { telemetry, lines } = recorded();
    observeStage(telemetry, freshness).topicTorn(progress, { partition: 0, low: 20 });
    const source = { branchId: key.branchId, sourceId: key.sourceId } as Source;
    observeRetention(telemetry).neededRecordsRemoved(source, 5);
    expect(lines()).toMatchObject([
      { level: 'error', low: 20 },
      { level: 'error', count: 5 },
    ]);
    const text = await page(telemetry);
    expect(text).toContain(`millrace_stage_torn_topics_total${labels}} 1`);
    expect(text).toContain('millrace_retention_lost_events_total{branch="1",source="shop"} 5');
  });

  it('says of dead letters why, and of all events how old they were at each stage', async () => {
    const { telemetry } = recorded();
    const own = { now: () => 200_000, targetMs: () => 180_000, countsSince: () => 10_000 };
    const outcomes = [
      { ...line('row'), arrivedAt: 195_000 },
      { ...line('dead'), arrivedAt: 199_000 },
    ] as const;
    observeMap(telemetry, own).outcomesAppended(progress, totalsOf(outcomes, ['pathNotFound']));
    const slice = sliceOf({ id: 's', from: -1, to: 3, rows: 3, dead: 1 });
    const timely = { ...slice, firstArrival: 20_000, stagedAt: 29_000 };
    const late = { ...slice, firstArrival: 19_000, stagedAt: 29_000 };
    const backfilled = { ...slice, firstArrival: 9000, stagedAt: 29_000 };
    for (const one of [timely, backfilled])
      observeStage(telemetry, own).sliceSealed(progress, { slice: one, cause: 'count' });
    const imported = { number: 4, tableId: parseTableId('in.c-shop.orders'), durationMs: 200 };
    observeImport(telemetry, own).importFinished(progress, { ...imported, slices: [timely, late, backfilled] });
    const text = await page(telemetry);
    expect(text).toContain(`millrace_map_dead_letters_total${labels},reason="pathNotFound"} 1`);
    const age = (stage: string, value: string): string => `millrace_event_age_seconds_${value.replace('STAGE', stage)}`;
    expect(text).toContain(age('mapped', 'bucket{stage="STAGE",le="5"} 2'));
    expect(text).toContain(age('mapped', 'bucket{stage="STAGE",le="2"} 0'));
    expect(text).toContain(age('staged', 'bucket{stage="STAGE",le="10"} 4'));
    expect(text).toContain(age('staged', 'count{stage="STAGE"} 4'));
    expect(text).toContain(age('imported', 'bucket{stage="STAGE",le="180"} 4'));
    expect(text).toContain(age('imported', 'count{stage="STAGE"} 8'));
    expect(text).toContain(`millrace_import_timely_events_total${labels}} 4`);
    expect(text).toContain(`millrace_import_late_events_total${labels}} 4`);
  });

  it('says of a log of the tables that was cut which one it is, and how many bytes went', () => {
    const { telemetry, lines } = recorded();
    tableLogCut(telemetry, { path: '/data/tables.duckdb.wal', bytes: 700 });
    expect(lines()).toMatchObject([
      { level: 'warn', msg: 'torn end of a table log cut', path: '/data/tables.duckdb.wal', bytes: 700 },
    ]);
  });

  it('says that connections are refused, and that there are fewer of them than configured', () => {
    const { telemetry, lines } = recorded();
    observeIngest(telemetry).crowded('addressLimit', 300, '192.0.2.7');
    observeIngest(telemetry).crowded('connectionLimit', 600);
    tellFewConnections(telemetry, { configured: 200_000, files: 1024, connections: 672 });
    tellFewConnections(telemetry, { configured: undefined, files: 1024, connections: 672 });
    expect(lines()).toMatchObject([
      {
        level: 'warn',
        msg: 'connections refused',
        reason: 'addressLimit',
        most: 300,
        address: '192.0.2.7',
        detail:
          'senders of one address have all 300 connections that they may: MILLRACE_MAX_CONNECTIONS_PER_ADDRESS changes that, ' +
          'or for a proxy or load balancer, which may have all, MILLRACE_TRUSTED_PROXIES',
      },
      {
        level: 'warn',
        msg: 'connections refused',
        reason: 'connectionLimit',
        most: 600,
        detail: 'all senders together have all 600 connections that they may: MILLRACE_MAX_CONNECTIONS changes that',
      },
      {
        level: 'warn',
        msg: 'few connections, because few files may be open',
        detail:
          'MILLRACE_MAX_CONNECTIONS is 200000, but this process may have 1024 files open (ulimit -n): ingest takes 672 connections at a time',
      },
      { detail: 'this process may have 1024 files open (ulimit -n): ingest takes 672 connections at a time' },
    ]);
  });

  it('on the path of events only counts', async () => {
    const { telemetry, lines } = recorded();
    const ingest = observeIngest(telemetry);
    ingest.stored(key, { events: 100, bytes: 2048, ms: 3 });
    observeMap(telemetry, freshness).outcomesAppended(
      progress,
      totalsOf([...rows(99), line('dead'), ran('filtered', 10, 30)], ['templateLimit']),
    );
    ingest.refused(413, 'stream.in.bodyTooLarge');
    expect(lines()).toEqual([]);
    const text = await page(telemetry);
    expect(text).toContain('millrace_ingest_events_total{branch="1",source="shop"} 100');
    expect(text).toContain('millrace_ingest_batches_total{branch="1",source="shop"} 1');
    expect(text).toContain('millrace_ingest_duration_seconds_bucket{le="0.005"} 1');
    expect(text).toContain(`millrace_map_outcomes_total${labels},kind="row"} 99`);
    expect(text).toContain(`millrace_map_outcomes_total${labels},kind="dead"} 1`);
    expect(text).toContain(`millrace_map_outcomes_total${labels},kind="filtered"} 20`);
    expect(text).toContain('millrace_ingest_refused_total{reason="bodyTooLarge"} 1');
  });

  it('that fails says the code, the reason and the cause', () => {
    const { telemetry, lines } = recorded();
    const error = new MillraceError('table.notFound', 'no table "in.c-shop.orders"', { cause: new Error('driver') });
    serviceFailed(telemetry, { service: 'import', error, attempt: 1, retryInMs: 200 });
    expect(lines()[0]).toMatchObject({
      level: 'error',
      code: 'table.notFound',
      err: { message: 'no table "in.c-shop.orders"', cause: { message: 'driver' } },
    });
  });

  it('counts a partition that takes no appends, by what it is now, until it takes them', async () => {
    const { telemetry, lines } = recorded();
    const at = { topic: 'source.1.shop', partition: 2 };
    const appends = observeAppends(telemetry);
    appends.troubled({ at, condition: 'late', reason: 'no leader' });
    appends.troubled({ at, condition: 'refusing', reason: 'no leader' });
    const served = async () => (await page(telemetry)).match(/^millrace_log_append_alarms.*$/gm);
    expect(await served()).toEqual([
      'millrace_log_append_alarms{topic="source.1.shop",partition="2",condition="refusing"} 1',
    ]);
    appends.mended(at);
    expect(await served()).toBeNull();
    expect(lines().map(({ level, msg }) => [level, msg])).toEqual([
      ['error', 'partition takes no appends'],
      ['error', 'partition takes no appends'],
      ['info', 'partition takes appends again'],
    ]);
    expect(lines()[1]).toMatchObject({ ...at, condition: 'refusing', reason: 'no leader' });
  });

  it('opens an alarm that closing takes back', async () => {
    const { telemetry } = recorded();
    const status: SinkStatus = {
      incarnation,
      role: 'import',
      code: 'table.notFound',
      message: 'no table',
      since: '2026-01-01T00:00:00.000Z',
      lastTryAt: '2026-01-01T00:00:00.000Z',
      nextTryAt: '2026-01-01T00:02:00.000Z',
      attempts: 1,
    };
    alarmOpened(telemetry, { key, status });
    expect(await page(telemetry)).toContain('millrace_open_alarms{role="import",code="table.notFound"} 1');
    alarmClosed(telemetry, { key, status });
    expect(await page(telemetry)).toContain('millrace_open_alarms{role="import",code="table.notFound"} 0');
  });
});

const differences = { document: 0, ledgerRows: 0, ledgerDead: 0, log: 0 };
const holes = { counted: 0, ringing: 0 };
const aside = { slices: 0, events: 0, oldestSeconds: 0, givenUp: 0 };

describe('metrics of several threads', () => {
  it('are one page: counters summed, measures as they are, a sink that is gone forgotten', async () => {
    const [main, worker] = [recorded().telemetry, recorded().telemetry];
    observeMap(main, freshness).outcomesAppended(progress, totalsOf(rows(5), []));
    observeMap(worker, freshness).outcomesAppended(progress, totalsOf(rows(6), []));
    const series = new SinkSeries(worker);
    const age = { stagedSeconds: 2, targetSeconds: 180 };
    const measure = { lagEvents: 12, lagSeconds: 3, stagedRows: 12, ...age, differences, holes, aside, replays: 1 };
    series.tell([{ key, measure }]);
    const text = await page(main, worker);
    expect(text).toContain(`millrace_map_outcomes_total${labels},kind="row"} 11`);
    expect(text).toContain(`millrace_sink_lag_events${labels}} 12`);
    expect(text).toContain(`millrace_running_replays${labels}} 1`);
    series.tell([]);
    expect(await page(main, worker)).not.toContain(`millrace_sink_lag_events${labels}`);
  });
});

describe('a replay of dead letters', () => {
  it('is counted by what became of the letters, once its import has loaded, and by its end', async () => {
    const { telemetry } = recorded();
    const observer = observeImport(telemetry, freshness);
    const after = { partition: 0, offset: 9, eventId: 'e' };
    const running = {
      number: 4,
      id: 'r',
      replayId: 'all',
      passed: { seen: 9, refused: 2, partial: 1, after },
      mappingVersion: 1,
      letters: { 0: { rows: 3, filtered: 1, offsets: [1, 1, 1, 1] }, 1: { rows: 2, filtered: 0, offsets: [0, 1] } },
      lettersObject: { name: 'r.letters', bytes: 1 },
      firstArrival: 1,
      lastArrival: 2,
      startedAt: 3,
    };
    observer.lettersReplayed(progress, { running, verdict: 'abandoned' });
    expect(await page(telemetry)).not.toContain('millrace_replay_letters_total{');
    observer.lettersReplayed(progress, { running, verdict: 'loaded' });
    observer.lettersPassed(progress, { seen: 4, refused: 4, partial: 0, after });
    const counts = { seen: 13, rows: 5, filtered: 1, refused: 6, partial: 1 };
    const order = { id: 'all', filter: {}, matching: 13, askedAt: 1, nextImport: 4, batches: 1, abandoned: 0 };
    observer.replayEnded({ ...progress, replay: { ...order, state: 'done', counts } });
    const text = await page(telemetry);
    for (const [result, letters] of Object.entries({ row: 5, filtered: 1, refused: 6, partial: 1 }))
      expect(text).toContain(`millrace_replay_letters_total${labels},result="${result}"} ${letters}`);
    expect(text).toContain(`millrace_replays_total${labels},result="done"} 1`);
  });
});

describe('the log', () => {
  it('D4: shouts about a difference of the conservation count', () => {
    const { telemetry, lines } = recorded();
    const differences = { document: 2, ledgerRows: -3, ledgerDead: 0, log: undefined };
    const age = { stagedSeconds: 0, targetSeconds: 180 };
    const measure = { lagEvents: 0, lagSeconds: 0, stagedRows: 0, ...age, differences, holes, aside, replays: 1 };
    new SinkSeries(telemetry).tell([{ key, measure }]);
    const line = { level: 'error', msg: 'conservation violated', difference: 5, document: 2, ledgerRows: -3 };
    expect(lines()[0]).toMatchObject(line);
  });

  it('never shows a field that is named like a secret', () => {
    const { telemetry, lines } = recorded();
    const headers = { authorization: 'Bearer abc', 'x-storageapi-token': 'abc', accept: 'text/plain' };
    telemetry.log.info({ token: 'abc', source: { secret: 'abc' }, request: { headers } }, 'request seen');
    expect(JSON.stringify(lines())).not.toContain('abc');
    expect(lines()[0]).toMatchObject({ request: { headers: { accept: 'text/plain', authorization: '[redacted]' } } });
  });

  it('keeps the fields of a child beside its own', () => {
    const { telemetry, lines } = recorded('debug');
    telemetry.log.child({ partition: 3 }).debug({ offset: 9 }, 'looked');
    expect(lines()[0]).toMatchObject({ role: 'test', partition: 3, offset: 9, msg: 'looked', level: 'debug' });
  });
});
