import type { Problem } from './problem.ts';
import type { Write } from './writes.ts';

/** What became of the events of a request in one source. */
export interface WriteResult {
  readonly write: Write;
  readonly outcome: 'stored' | 'accepted' | Problem;
}

/** The answer to a request as a whole: the worst status of its sources. */
export interface Summary {
  readonly status: number;
  readonly failed: boolean;
  readonly retryAfterSeconds: number | undefined;
  readonly body: string;
}

const noSink = 'No enabled sink found.';

/** The status and the long answer of A3. Sources keep their order, by branch. */
export function summarize(projectId: number, results: readonly WriteResult[]): Summary {
  const statuses = results.map(({ outcome }) => statusOf(outcome));
  const status = Math.max(...statuses);
  const failures = results.filter(({ outcome }) => typeof outcome !== 'string');
  const stored = results.length - failures.length;
  const sources = results.map((result, index) => describe(projectId, result, statuses[index] ?? status));
  const failed = failures.length > 0;
  const message = failed ? `Written to ${stored}/${results.length} sources.` : messageOfAll(results, status);
  const content = failed
    ? { statusCode: status, error: 'stream.in.writeFailed', message, sources }
    : { statusCode: status, message, sources };
  const waits = failures.map(({ outcome }) => (typeof outcome === 'string' ? 0 : (outcome.retryAfterSeconds ?? 0)));
  const wait = Math.max(0, ...waits);
  return {
    status,
    failed,
    retryAfterSeconds: wait > 0 ? wait : undefined,
    body: JSON.stringify(content, undefined, 2),
  };
}

function statusOf(outcome: WriteResult['outcome']): number {
  if (outcome === 'stored') return 200;
  return outcome === 'accepted' ? 202 : outcome.status;
}

function messageOfAll(results: readonly WriteResult[], status: number): string {
  if (results.every(({ write }) => write.source.enabledSinks === 0)) return noSink;
  return status === 202 ? 'accepted' : 'stored';
}

function describe(projectId: number, { write, outcome }: WriteResult, statusCode: number): object {
  const { key, enabledSinks } = write.source;
  const place = { projectId, sourceId: key.sourceId, branchId: key.branchId, statusCode };
  if (typeof outcome !== 'string') return { ...place, error: outcome.error, message: outcome.message, events: [] };
  const message = enabledSinks === 0 ? noSink : outcome;
  return { ...place, message, events: write.ids.map((id) => ({ id })) };
}
