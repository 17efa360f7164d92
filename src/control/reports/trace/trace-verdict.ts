import { at, counted } from '../why/words.ts';
import type { EventTrace, SourceTrace, TraceSearch } from './read-trace.ts';

/** One or two sentences: what was found, and how far was looked. Nothing is called missing that was not read whole. */
export function traceVerdict({ events, search }: Pick<SourceTrace, 'events' | 'search'>): string {
  if (events.length > 0) return `${foundText(events)}${restText(search)}`;
  if (search === undefined) return 'Nothing was found.';
  const { records, isDone, window, isCut, removed } = search;
  const read = `${counted(records, 'record')} ${records === 1 ? 'was' : 'were'} read`;
  if (!isDone) return `Not found yet: ${read}, and the log has more to read; ask again with "position".`;
  const where = windowText(window);
  const among = where === undefined ? `all that the log has: ${read}` : `what arrived ${where}: ${read}`;
  const cut =
    isCut || removed > 0 ? ' The log does not go back to the first event: retention has removed the older ones.' : '';
  return `Not found among ${among}, and no table has it by an id.${cut}`;
}

function foundText(events: readonly EventTrace[]): string {
  const [only, ...others] = events;
  if (only === undefined || others.length > 0) return `${counted(events.length, 'event')} found.`;
  const { place, missing, shown } = only;
  if (place === undefined) return 'The log was not found to have the event; a table has it.';
  const where = `partition ${place.partition}, offset ${place.offset}`;
  if (missing === 'removed') return `At ${where} the log has nothing any more: retention has removed it.`;
  if (missing === 'lost') return `At ${where} the log has nothing any more: it was lost.`;
  if (missing === 'none') return `At ${where} the log has no event, and never had.`;
  return `Found at ${where}${shown === undefined ? '' : `; it arrived at ${at(shown.arrivedAt)}`}.`;
}

function restText(search: TraceSearch | undefined): string {
  return search?.next === undefined ? '' : ' What lies behind was not read; ask again with "position" for more.';
}

function windowText({ since, until }: TraceSearch['window']): string | undefined {
  if (since === undefined && until === undefined) return undefined;
  if (since === undefined) return `before ${at(until ?? 0)}`;
  return until === undefined ? `from ${at(since)} on` : `from ${at(since)} to ${at(until)}`;
}
