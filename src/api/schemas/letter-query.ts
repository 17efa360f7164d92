import { z } from 'zod';
import type { DeadLetterFilter, LetterQuery } from '../../core/dead-letter.ts';
import { ApiError } from '../errors/api-error.ts';
import { maybe, timeText } from './field.ts';
import { branchOf, sinkKeyOf, sourceKeyOf } from './key-of-path.ts';

const text = maybe(z.string());

/** Which dead letters of a branch are meant. */
export const letterFilter = z.object({
  sourceId: text.meta({ description: 'Of this source and its sinks.' }),
  sinkId: text.meta({ description: 'Of this sink; only with `sourceId`.' }),
  reason: text.meta({ description: 'With this reason, for example `templateError`.' }),
  column: text.meta({ description: 'Whose cell of this column could not be made.' }),
  eventId: text.meta({ description: 'Of this event.' }),
  since: maybe(timeText('since')).meta({ description: 'The event arrived then or later.' }),
  until: maybe(timeText('until')).meta({ description: 'The event arrived before that.' }),
});

/** The same of a sink that the path names. A field that is misspelt chooses nothing, and more would be meant than its writer thinks. */
export const filterOfSink = letterFilter.omit({ sourceId: true, sinkId: true }).strict();

/** What is named of it, and nothing else; `invalidRange` for a time that holds no moment. */
export function filterOf(named: z.output<typeof filterOfSink>): DeadLetterFilter {
  const { since, until } = named;
  if (since !== undefined && until !== undefined && since >= until)
    throw new ApiError('invalidRange', `"since" must be before "until", but ${iso(since)} is not before ${iso(until)}`);
  return Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
}

/** What a path and its query mean; `sourceNotFound` and `sinkNotFound` for ids that none can have. */
export function letterQueryOf(
  path: { readonly branchId: string },
  { sourceId, sinkId, ...named }: z.output<typeof letterFilter>,
): LetterQuery {
  const filter = filterOf(named);
  if (sourceId === undefined) {
    if (sinkId !== undefined) throw new ApiError('badRequest', '"sinkId" needs the "sourceId" of its source');
    return { scope: { branchId: branchOf(path) }, filter };
  }
  const key = { ...path, sourceId };
  return { scope: sinkId === undefined ? sourceKeyOf(key) : sinkKeyOf({ ...key, sinkId }), filter };
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
