import { z } from 'zod';
import { purgeLetters } from '../../../control/letters/purge-letters.ts';
import { showLetters } from '../../../control/letters/show-letters.ts';
import { countLetters, readLetters } from '../../../control/letters/read-letters.ts';
import { shortened } from '../../../core/shortened.ts';
import { ApiError } from '../../errors/api-error.ts';
import { integerText, maybe, timeText } from '../../schemas/field.ts';
import { letterFilter, letterQueryOf } from '../../schemas/letter-query.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { branchPath } from '../../schemas/path.ts';
import {
  letterCountSchema,
  letterCountView,
  letterSchema,
  letterView,
  shownLetterSchema,
  shownLetterView,
} from '../../views/letter-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';

const path = '/v1/branches/{branchId}/dead-letters';
const most = 1000;
const usual = 100;

const limit = maybe(integerText({ name: 'limit', min: 1, max: most })).meta({
  description: `1 to ${most}, ${usual} when absent.`,
});

const listSchema = z
  .object({
    letters: z.array(letterSchema),
    isCut: z.boolean().meta({ description: 'There are more within the limit: 16 MB are shown at most.' }),
  })
  .meta({ id: 'DeadLetterList' });

export const listLettersRoute = defineRoute({
  method: 'GET',
  path,
  access: 'read',
  operationId: 'listDeadLetters',
  summary: 'List the events that a mapping refused, whole, with the reason; those that were loaded last come first.',
  params: branchPath,
  query: letterFilter.extend({ limit }),
  responses: { 200: { description: 'Dead letters that are in the table.', schema: listSchema } },
  refuses: ['sourceNotFound', 'sinkNotFound'],
  handle: async ({ params, query: { limit: wanted = usual, ...filter } }, context, { signal }) => {
    const { letters, isCut } = await readLetters(
      context,
      { ...letterQueryOf(params, filter), limit: wanted },
      { signal },
    );
    return ok({ letters: letters.map(letterView), isCut });
  },
});

const countsSchema = z
  .object({
    letters: z.int().meta({ description: 'How many there are in all.' }),
    counts: z.array(letterCountSchema).meta({ description: 'Most first.' }),
  })
  .meta({ id: 'DeadLetterCounts' });

export const countLettersRoute = defineRoute({
  method: 'GET',
  path: `${path}/counts`,
  access: 'read',
  operationId: 'countDeadLetters',
  summary: 'Count the dead letters by sink, reason and column.',
  params: branchPath,
  query: letterFilter.extend({ limit }),
  responses: { 200: { description: 'How many are in the table.', schema: countsSchema } },
  refuses: ['sourceNotFound', 'sinkNotFound'],
  handle: async ({ params, query: { limit: wanted = usual, ...filter } }, context, { signal }) => {
    const found = await countLetters(context, { ...letterQueryOf(params, filter), limit: wanted }, { signal });
    return ok({ letters: found.letters, counts: found.counts.map(letterCountView) });
  },
});

const shownSchema = z
  .object({ letters: z.array(shownLetterSchema).min(1).meta({ description: 'One for each sink that refused it.' }) })
  .meta({ id: 'ShownDeadLetters' });

export const showLettersRoute = defineRoute({
  method: 'GET',
  path: `${path}/{eventId}`,
  access: 'read',
  operationId: 'showDeadLetter',
  summary: 'Show the dead letters of an event with the columns that refused it.',
  params: branchPath.extend({ eventId: z.string() }),
  responses: { 200: { description: 'What sinks could not map.', schema: shownSchema } },
  refuses: ['deadLetterNotFound'],
  handle: async ({ params }, context, { signal }) => {
    const { eventId } = params;
    const letters = await showLetters(context, { branchId: branchOf(params), eventId }, { signal });
    if (letters.length > 0) return ok({ letters: letters.map(shownLetterView) });
    const text = `no dead letter of the event "${shortened(eventId, 100)}" is in the table; it may be on its way`;
    throw new ApiError('deadLetterNotFound', text);
  },
});

const purgedSchema = z
  .object({
    deleted: z.int(),
    isComplete: z.boolean().meta({ description: 'False: there may be more; call it again.' }),
  })
  .meta({ id: 'PurgedDeadLetters' });

const purgeBody = letterFilter
  .extend({ until: timeText('until').meta({ description: 'The event arrived before that.' }) })
  .strict()
  .meta({ id: 'PurgeDeadLettersBody' });

export const purgeLettersRoute = defineChange({
  method: 'POST',
  path: `${path}/purge`,
  access: 'write',
  operationId: 'purgeDeadLetters',
  summary:
    'Delete dead letters of events that arrived before a moment, for good. In the accounts their events stay dead.',
  params: branchPath,
  body: purgeBody,
  responses: { 200: { description: 'So many are gone.', schema: purgedSchema } },
  refuses: ['sourceNotFound', 'sinkNotFound'],
  handle: async ({ params, body }, context, { change, signal }) => {
    const { deleted, isComplete } = await purgeLetters(context, { ...letterQueryOf(params, body), change }, { signal });
    return ok({ deleted, isComplete });
  },
});
