import { limits } from '../core/limits.ts';
import type { SinkProgress, StagedSlice } from '../core/progress/sink-progress.ts';
import { sumSlices } from '../core/progress/slice-sum.ts';
import { parseSpanContext } from '../core/span-context.ts';
import { sinkAttributes, sinkSpanName } from './span-attributes.ts';
import type { Spans } from './spans.ts';
import { WorkSpans } from './work-spans.ts';

/** An import that has ended. */
export interface SpannedImport {
  readonly progress: Pick<SinkProgress, 'key' | 'importing'>;
  readonly number: number;
  readonly slices: readonly StagedSlice[];
  /** How long it took this process. */
  readonly durationMs: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Where its rows are; absent for one that loaded none. */
  readonly table?: string;
  readonly failure?: string;
}

/**
 * The spans `import` of an import that has ended, from the moment at which the document says that it began: another process may have begun
 * it.
 */
export function tellImportSpans(spans: Spans, told: SpannedImport): void {
  const { progress, number, slices, at, durationMs, table, failure } = told;
  const { importing } = progress;
  const startedAt = Math.min(importing?.number === number ? importing.startedAt : at - durationMs, at);
  const contexts = slices
    .flatMap(({ traceparents = [] }) => traceparents)
    .slice(0, limits.tracesPerImport)
    .map((traceparent) => parseSpanContext(traceparent))
    .filter((context) => context !== undefined);
  if (contexts.length === 0) return;
  const { rows, dead } = sumSlices(slices);
  const attributes = {
    ...sinkAttributes(progress.key),
    'messaging.batch.message_count': rows + dead,
    'millrace.import': number,
    'millrace.import.slices': slices.length,
    ...(table === undefined ? {} : { 'millrace.table': table }),
  };
  const name = sinkSpanName('import', progress.key);
  const shared = contexts.map((context) => ({ context, since: startedAt }));
  new WorkSpans(spans, { name, startedAt, attributes }, shared).end({ at, failure });
}
