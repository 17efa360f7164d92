import type { NewRecord } from '../../../ports/event-log.ts';
import { bodyFormat } from '../../../mapping/body-format.ts';
import type { EventIds } from '../accept/event-id.ts';
import { clientHeaders, recordHeaders, type EventMarks } from '../accept/event-headers.ts';
import type { Problem } from '../exchange/problem.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import { isNdjson, splitEvents, type BatchMode, type SplitBody } from './split-events.ts';

/** A request whose body is there. */
export interface ReceivedRequest {
  readonly body: Buffer;
  readonly rawHeaders: readonly string[];
  readonly contentType: string | undefined;
  /** No Authorization header with one of these gets into an event. */
  readonly secrets: readonly string[];
  readonly remoteAddress: string;
  /** Of the query. */
  readonly batch: BatchMode | undefined;
  /** Milliseconds since the epoch. */
  readonly arrivedAt: number;
}

/** What one source gets of a request: one append, to one partition. */
export interface Write {
  readonly source: DirectorySource;
  readonly records: readonly NewRecord[];
  readonly ids: readonly string[];
}

/** How a request is split for a source: NDJSON by line always, else as the query says, else as the source does. */
export function batchModeFor(
  source: DirectorySource,
  request: Pick<ReceivedRequest, 'contentType' | 'batch'>,
): BatchMode {
  return isNdjson(request.contentType) ? 'lines' : (request.batch ?? source.batch);
}

/** The one record of a request that is one event. */
export function singleRecord(source: DirectorySource, request: ReceivedRequest, id: string): NewRecord {
  const marks = { id, remoteAddress: request.remoteAddress, format: formatOf(source, request.contentType) };
  return {
    value: request.body,
    headers: recordHeaders(marks, clientHeaders(request.rawHeaders, request.secrets)),
    timestamp: request.arrivedAt,
  };
}

/**
 * What every source gets; an event has the same id in all sources that split the request alike. A problem with one
 * source's split is a problem of the request: nothing may be stored.
 */
export function prepareWrites(
  sources: readonly DirectorySource[],
  request: ReceivedRequest,
  ids: EventIds,
): readonly Write[] | Problem {
  const splits = new Map<BatchMode, { readonly split: SplitBody; readonly ids: readonly string[] }>();
  const headers = clientHeaders(request.rawHeaders, request.secrets);
  const writes: Write[] = [];
  for (const source of sources) {
    const mode = batchModeFor(source, request);
    let known = splits.get(mode);
    if (known === undefined) {
      const split = splitEvents(request.body, mode);
      if (split.kind === 'problem') return split;
      known = { split, ids: split.bodies.map(() => ids(request.arrivedAt)) };
      splits.set(mode, known);
    }
    const format = known.split.areJson ? 'json' : formatOf(source, request.contentType);
    const { remoteAddress, arrivedAt } = request;
    const records = known.split.bodies.map((value, index) => {
      const marks: EventMarks = { id: known.ids[index] ?? '', remoteAddress, format };
      return { value, headers: recordHeaders(marks, headers), timestamp: arrivedAt };
    });
    writes.push({ source, records, ids: known.ids });
  }
  return writes;
}

/** The source's default content type speaks where the request does not (A37). */
function formatOf(source: DirectorySource, contentType: string | undefined): EventMarks['format'] {
  if (contentType !== undefined) return undefined;
  if (source.defaultContentType === '') return 'none';
  const { kind } = bodyFormat({ decided: undefined, contentType: source.defaultContentType, ingested: true });
  return kind === 'unsupported' ? 'none' : kind;
}
