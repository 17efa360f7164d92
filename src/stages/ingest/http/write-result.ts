import type { Problem } from '../exchange/problem.ts';
import type { Write } from './writes.ts';

/** What became of the events of a request in one source. */
export interface WriteResult {
  readonly write: Write;
  readonly outcome: 'stored' | 'accepted' | Problem;
}

/** The answer to a request as a whole: the worst status of its sources, and the longest wait that one asks for. */
export interface Summary {
  readonly status: number;
  readonly failed: boolean;
  readonly retryAfterSeconds: number | undefined;
}

const noSink = 'No enabled sink found.';

export function summarize(results: readonly WriteResult[]): Summary {
  const problems = results.flatMap(({ outcome }) => (typeof outcome === 'string' ? [] : [outcome]));
  const wait = Math.max(0, ...problems.map(({ retryAfterSeconds = 0 }) => retryAfterSeconds));
  return {
    status: Math.max(...results.map(({ outcome }) => statusOf(outcome))),
    failed: problems.length > 0,
    retryAfterSeconds: wait > 0 ? wait : undefined,
  };
}

/** The long answer of A3, a JSON text. Sources keep their order, by branch. */
export function longAnswer(projectId: number, results: readonly WriteResult[]): string {
  const { status, failed } = summarize(results);
  const sources = results.map((result) => describe(projectId, result));
  const stored = results.filter(({ outcome }) => typeof outcome === 'string').length;
  const content = failed
    ? {
        statusCode: status,
        error: 'stream.in.writeFailed',
        message: `Written to ${stored}/${results.length} sources.`,
        sources,
      }
    : { statusCode: status, message: messageOfAll(results, status), sources };
  return JSON.stringify(content, undefined, 2);
}

function statusOf(outcome: WriteResult['outcome']): number {
  if (outcome === 'stored') return 200;
  return outcome === 'accepted' ? 202 : outcome.status;
}

function messageOfAll(results: readonly WriteResult[], status: number): string {
  if (results.every(({ write }) => write.source.enabledSinks === 0)) return noSink;
  return status === 202 ? 'accepted' : 'stored';
}

function describe(projectId: number, { write, outcome }: WriteResult): object {
  const statusCode = statusOf(outcome);
  const { key, enabledSinks } = write.source;
  const place = { projectId, sourceId: key.sourceId, branchId: key.branchId, statusCode };
  if (typeof outcome !== 'string') {
    const { error, message: reason, stored } = outcome;
    return { ...place, error, message: reason, stored, events: [] };
  }
  const message = enabledSinks === 0 ? noSink : outcome;
  return { ...place, message, events: write.ids.map((id) => ({ id })) };
}
