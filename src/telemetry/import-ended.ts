import type { Incarnation, SinkKey } from '../core/ids.ts';
import { sinkLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

interface ImportOfSink {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  /** The import's number. */
  readonly number: number;
  readonly slices: number;
}

export interface FinishedImport extends ImportOfSink {
  readonly tableId: string;
  readonly rows: number;
  readonly dead: number;
  readonly seconds: number;
}

/** The transaction of an import is committed and the document has forgotten its slices. */
export function importFinished({ log, metrics }: Telemetry, { key, ...done }: FinishedImport): void {
  const labels = sinkLabels(key);
  metrics.counter('millrace_imports_total').inc({ ...labels, result: 'loaded' });
  metrics.counter('millrace_import_rows_total').inc(labels, done.rows);
  metrics.counter('millrace_import_dead_letters_total').inc(labels, done.dead);
  metrics.histogram('millrace_import_duration_seconds').observe(done.seconds);
  log.info({ ...key, ...done }, 'import finished');
}

export interface AbandonedImport extends ImportOfSink {
  readonly reason: string;
}

/** An import was given up: its ledger row says `abandoned`, and its slices are staged again. */
export function importAbandoned({ log, metrics }: Telemetry, { key, ...gone }: AbandonedImport): void {
  metrics.counter('millrace_imports_total').inc({ ...sinkLabels(key), result: 'abandoned' });
  log.warn({ ...key, ...gone }, 'import abandoned');
}

/** One try to import did not load. Why, and when it is tried again, is the alarm's to say: call it beside that. */
export function importFailed({ metrics }: Telemetry, key: SinkKey): void {
  metrics.counter('millrace_imports_total').inc({ ...sinkLabels(key), result: 'failed' });
}
