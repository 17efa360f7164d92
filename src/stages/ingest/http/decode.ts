import { reservedHeaders, type BodyFormat } from '../../../core/event.ts';
import { bodyFormat } from '../../../mapping/body-format.ts';
import { clientHeaders } from '../accept/client-headers.ts';
import type { EventIds } from '../accept/event-id.ts';
import type { Refusal } from '../accept/refusal.ts';
import type { DirectorySource } from '../accept/source-directory.ts';
import type { Target } from '../accept/targets.ts';
import { createWrite, identify, type IdentifiedEvents, type Write } from '../accept/write.ts';
import type { Received } from '../exchange/face.ts';
import { splitEvents, type BatchMode } from './split-events.ts';

/** Where the events of a request go, and how it asks to be split; undefined: as each source says. */
export interface Addressed {
  readonly target: Target;
  readonly batch: BatchMode | undefined;
}

interface Split {
  readonly events: IdentifiedEvents;
  readonly areJson: boolean;
}

/**
 * What every source gets; an event has the same id in all sources that split the request alike. A refusal of one source's split is one of
 * the request: nothing may be stored.
 */
export function decode(request: Received, { target, batch }: Addressed, ids: EventIds): readonly Write[] | Refusal {
  const { body, rawHeaders, contentType, remoteAddress, arrivedAt } = request;
  const headers = clientHeaders(rawHeaders, target.secrets);
  const splits: Partial<Record<BatchMode, Split>> = {};
  const writes: Write[] = [];
  for (const source of target.sources) {
    const mode = batch ?? source.batch;
    let known = splits[mode];
    if (known === undefined) {
      const split = splitEvents(body, mode);
      if (split.kind === 'refusal') return split;
      known = { events: identify(split.bodies, arrivedAt, ids), areJson: split.areJson };
      splits[mode] = known;
    }
    const marks = known.areJson ? marksOf.json : formatMarks(source, contentType);
    writes.push(createWrite(source, known.events, { remoteAddress, arrivedAt, marks, headers }));
  }
  return writes;
}

/** What tells a format that Content-Type does not. */
const marksOf: Readonly<Record<BodyFormat['kind'], readonly string[]>> = {
  json: [reservedHeaders.format, 'json'],
  form: [reservedHeaders.format, 'form'],
  unsupported: [reservedHeaders.format, 'none'],
};
const unmarked: readonly string[] = [];

/** The source's default content type speaks where the request does not (A37). */
function formatMarks({ defaultContentType }: DirectorySource, contentType: string | undefined): readonly string[] {
  if (contentType !== undefined) return unmarked;
  if (defaultContentType === '') return marksOf.unsupported;
  return marksOf[bodyFormat({ decided: undefined, contentType: defaultContentType, ingested: true }).kind];
}
