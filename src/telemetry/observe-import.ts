import type { SinkKey } from '../core/ids.ts';
import { replayedCounts } from '../core/progress/replay.ts';
import type {
  PassedLetters,
  ReplayCounts,
  RunningReplay,
  SinkProgress,
  StagedSlice,
} from '../core/progress/sink-progress.ts';
import { sumSlices } from '../core/progress/slice-sum.ts';
import type { TableId } from '../core/table-id.ts';
import type { TriggerCause } from '../core/trigger.ts';
import type { Freshness } from './freshness.ts';
import { holesFound, type HolesFound } from './holes-found.ts';
import { tellImportSpans } from './import-spans.ts';
import { sinkLabels } from './labels.ts';
import type { Metrics } from './metrics.ts';
import type { Telemetry } from './telemetry.ts';

/** What the import stage tells about its work; every method is quick and never throws. */
export interface ImportObserver extends HolesFound {
  importStarted(
    progress: SinkProgress,
    event: { readonly number: number; readonly cause: TriggerCause; readonly slices: number },
  ): void;
  /** The transaction of an import is committed and the document has forgotten its slices. */
  importFinished(
    progress: SinkProgress,
    event: {
      readonly number: number;
      readonly tableId: TableId;
      readonly slices: readonly StagedSlice[];
      readonly durationMs: number;
    },
  ): void;
  /** An import was given up: its ledger row says `abandoned`, and its slices are staged again. `progress` is the document before. */
  importAbandoned(progress: SinkProgress, event: { readonly number: number; readonly reason: string }): void;
  /** The ledger has decided a batch of a replay, and the document follows. */
  lettersReplayed(
    progress: SinkProgress,
    event: { readonly running: RunningReplay; readonly verdict: 'loaded' | 'abandoned' },
  ): void;
  /** Letters were looked at, and all of them stay as they are. */
  lettersPassed(progress: SinkProgress, passed: PassedLetters): void;
  /** A replay has come to its end, or failed. */
  replayEnded(progress: SinkProgress): void;
  slicesParked(progress: SinkProgress, event: { readonly mappingVersion: number; readonly reason: string }): void;
  /** A slice could not be imported even alone, and is parked. */
  sliceDamaged(progress: SinkProgress, event: { readonly slice: StagedSlice; readonly reason: string }): void;
  sliceGivenUp(progress: SinkProgress, slice: StagedSlice): void;
  incarnationPurged(progress: SinkProgress): void;
  objectsCollected(count: number): void;
}

/** Logs and counts how imports end, and logs what becomes of slices. A try that failed is an alarm: see `observeStatus`. */
export function observeImport(telemetry: Telemetry, freshness: Freshness): ImportObserver {
  const { log, metrics, spans } = telemetry;
  return {
    importStarted: ({ key, incarnation }, event) => log.debug({ ...key, incarnation, ...event }, 'import started'),
    importFinished: (progress, { number, slices, durationMs, tableId }) => {
      const { key, incarnation } = progress;
      const { rows, dead } = sumSlices(slices);
      const seconds = durationMs / 1000;
      const labels = sinkLabels(metrics, key);
      metrics.counter('millrace_imports_total').inc({ ...labels, result: 'loaded' });
      metrics.counter('millrace_import_rows_total').inc(labels, rows);
      metrics.counter('millrace_import_dead_letters_total').inc(labels, dead);
      metrics.histogram('millrace_import_duration_seconds').observe(seconds);
      agesCounted(metrics, { key, slices, freshness });
      const fields = { ...key, incarnation, number, tableId, slices: slices.length, rows, dead, seconds };
      log.info(fields, 'import finished');
      const told = { progress, number, slices, durationMs, at: freshness.now(), table: tableId };
      if (spans !== undefined) tellImportSpans(spans, told);
    },
    importAbandoned: (progress, { number, reason }) => {
      const { key, incarnation, importing } = progress;
      metrics.counter('millrace_imports_total').inc({ ...sinkLabels(metrics, key), result: 'abandoned' });
      const slices = importing?.slices.length ?? 0;
      log.warn({ ...key, incarnation, number, slices, reason }, 'import abandoned');
      const told = { progress, number, slices: importing?.slices ?? [], durationMs: 0, at: freshness.now() };
      if (spans !== undefined) tellImportSpans(spans, { ...told, failure: reason });
    },
    lettersReplayed: ({ key, incarnation }, { running, verdict }) => {
      const { rows, dead } = replayedCounts(running);
      const { number, passed } = running;
      if (verdict === 'loaded') lettersCounted(metrics, key, { ...passed, rows, filtered: -dead - rows });
      log.debug({ ...key, incarnation, number, rows, letters: -dead, verdict }, 'dead letters replayed');
    },
    lettersPassed: ({ key, incarnation }, passed) => {
      lettersCounted(metrics, key, { ...passed, rows: 0, filtered: 0 });
      log.debug({ ...key, incarnation, ...passed }, 'dead letters passed');
    },
    replayEnded: ({ key, incarnation, replay }) => {
      const { state = 'done', counts, failure } = replay ?? {};
      metrics.counter('millrace_replays_total').inc({ ...sinkLabels(metrics, key), result: state });
      log[failure === undefined ? 'info' : 'error']({ ...key, incarnation, state, ...counts, failure }, 'replay ended');
    },
    slicesParked: ({ key, incarnation }, event) => log.error({ ...key, incarnation, ...event }, 'slices parked'),
    sliceDamaged: ({ key, incarnation }, { slice: { id, partition, rows, dead }, reason }) =>
      log.error({ ...key, incarnation, id, partition, rows, dead, reason }, 'damaged slice parked'),
    sliceGivenUp: ({ key, incarnation, dropped }, { id, rows, dead }) =>
      // What goes with its table was asked for.
      log[dropped === undefined ? 'error' : 'info']({ ...key, incarnation, id, rows, dead }, 'slice given up'),
    holesFound: holesFound(telemetry),
    incarnationPurged: ({ key, incarnation }) => {
      log.info({ ...key, incarnation }, 'incarnation purged');
    },
    objectsCollected: (objects) => log.debug({ objects }, 'objects collected'),
  };
}

function lettersCounted(metrics: Metrics, key: SinkKey, counts: Omit<ReplayCounts, 'seen'>): void {
  const { rows: row, filtered, refused, partial } = counts;
  const labels = sinkLabels(metrics, key);
  for (const [result, letters] of Object.entries({ row, filtered, refused, partial }))
    if (letters > 0) metrics.counter('millrace_replay_letters_total').inc({ ...labels, result }, letters);
}

interface ImportedSlices {
  readonly key: SinkKey;
  readonly slices: readonly StagedSlice[];
  readonly freshness: Freshness;
}

/** Once for each slice: its oldest event stands for all. */
function agesCounted(metrics: Metrics, { key, slices, freshness }: ImportedSlices): void {
  const [now, targetMs, since] = [freshness.now(), freshness.targetMs(key), freshness.countsSince(key)];
  for (const { rows, dead, firstArrival } of slices) {
    if (firstArrival < since) continue;
    const [events, ageMs] = [rows + dead, now - firstArrival];
    metrics.ages('millrace_event_age_seconds').add({ stage: 'imported' }, { seconds: ageMs / 1000, events });
    const isLate = ageMs > targetMs;
    const labels = sinkLabels(metrics, key);
    // Both from the first import on: a share is made of them.
    metrics.counter('millrace_import_late_events_total').inc(labels, isLate ? events : 0);
    metrics.counter('millrace_import_timely_events_total').inc(labels, isLate ? 0 : events);
  }
}
