import { errorName } from '../../../events/refusal.ts';
import type { WriteResult } from '../accept/write.ts';
import type { Answer } from '../exchange/face.ts';
import { statuses } from '../exchange/problem.ts';

/** What the long answer takes for an event: its id on lines of its own. */
export const answerBytesAnEvent = 96;

const noSink = 'No enabled sink found.';
const writeFailed = 'writeFailed';

/** The short answer: `OK`, or why not, where there is one source to speak of. */
export function shortAnswer(results: readonly WriteResult[]): Answer {
  const [only] = results;
  if (results.length === 1 && only !== undefined && typeof only.outcome !== 'string') return only.outcome;
  return { kind: 'ok', status: worstStatus(results) };
}

/** The answer of A3 that says of each source what became of its events, in their order, by branch. */
export function longAnswer(projectId: number, results: readonly WriteResult[]): Answer {
  const status = worstStatus(results);
  const failed = hasFailed(results);
  const sources = results.map((result) => describe(projectId, result));
  const content = failed
    ? {
        statusCode: status,
        error: errorName(writeFailed),
        message: `Written to ${takenBy(results)}/${results.length} sources.`,
        sources,
      }
    : { statusCode: status, message: messageOfAll(results, status), sources };
  return {
    kind: 'content',
    status,
    type: 'application/json',
    body: JSON.stringify(content, undefined, 2),
    retryAfterSeconds: longestWait(results),
    failure: failed ? writeFailed : undefined,
  };
}

export function hasFailed(results: readonly WriteResult[]): boolean {
  return results.some(({ outcome }) => typeof outcome !== 'string');
}

function takenBy(results: readonly WriteResult[]): number {
  return results.filter(({ outcome }) => typeof outcome === 'string').length;
}

function worstStatus(results: readonly WriteResult[]): number {
  return results.reduce((worst, { outcome }) => Math.max(worst, statusOf(outcome)), 0);
}

/** The longest wait that a source asks for; undefined when none does. */
function longestWait(results: readonly WriteResult[]): number | undefined {
  const waits = results.map(({ outcome }) => (typeof outcome === 'string' ? 0 : (outcome.retryAfterSeconds ?? 0)));
  const longest = Math.max(0, ...waits);
  return longest > 0 ? longest : undefined;
}

function statusOf(outcome: WriteResult['outcome']): number {
  if (outcome === 'stored') return 200;
  return outcome === 'accepted' ? 202 : statuses[outcome.fault];
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
    const { name, message: reason, stored } = outcome;
    return { ...place, error: errorName(name), message: reason, stored, events: [] };
  }
  const message = enabledSinks === 0 ? noSink : outcome;
  return { ...place, message, events: Array.from(write.ids, (id) => ({ id })) };
}
