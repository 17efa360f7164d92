import type { Incarnation } from './ids.ts';
import type { RunningImport, SinkProgress } from './progress/sink-progress.ts';

/** What became of one import, for people. Collection `import-history`; nothing is decided by it. */
export interface ImportNote {
  readonly incarnation: Incarnation;
  readonly number: number;
  readonly id: string;
  readonly verdict: 'loaded' | 'abandoned';
  /** What its slices held; of an abandoned import nothing was loaded, and a later one takes the slices. */
  readonly rows: number;
  readonly dead: number;
  readonly slices: number;
  /** CSV bytes. */
  readonly bytes: number;
  readonly mappingVersion: number;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly finishedAt: number;
  readonly durationMs: number;
}

/** How and when an import ended. */
export interface ImportEnd {
  readonly verdict: ImportNote['verdict'];
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Measured by whoever saw the import begin; without it the two stamps have to do. */
  readonly durationMs?: number;
}

/** The note of an import that has a verdict. */
export function importNote(
  { incarnation }: SinkProgress,
  { number, id, slices, startedAt }: RunningImport,
  { verdict, at, durationMs }: ImportEnd,
): ImportNote {
  let [rows, dead, bytes] = [0, 0, 0];
  for (const slice of slices) {
    rows += slice.rows;
    dead += slice.dead;
    bytes += (slice.rowsObject?.bytes ?? 0) + (slice.deadObject?.bytes ?? 0);
  }
  return {
    incarnation,
    number,
    id,
    verdict,
    rows,
    dead,
    slices: slices.length,
    bytes,
    mappingVersion: slices[0]?.mappingVersion ?? 0,
    startedAt,
    finishedAt: at,
    durationMs: Math.round(durationMs ?? Math.max(0, at - startedAt)),
  };
}
