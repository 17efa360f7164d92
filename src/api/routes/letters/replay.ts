import { z } from 'zod';
import { readReplay, replayLetters, stopReplayOf } from '../../../control/letters/replay-letters.ts';
import { tryReplay } from '../../../control/letters/try-replay.ts';
import { filterOf, filterOfSink } from '../../schemas/letter-query.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { sinkPath } from '../../schemas/path.ts';
import { replaySchema, replayView } from '../../views/replay-view.ts';
import { replayTrialSchema, replayTrialView } from '../../views/replay-trial-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';

const path = '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/dead-letters/replay';

const replayBody = filterOfSink
  .extend({
    limit: z.int().min(1).max(1_000_000_000).optional().meta({ description: 'Look at so many letters at most.' }),
  })
  .meta({ id: 'ReplayDeadLettersBody' });

const mostTried = 100;
const usuallyTried = 20;

const trialBody = filterOfSink
  .extend({
    limit: z
      .int()
      .min(1)
      .max(mostTried)
      .default(usuallyTried)
      .meta({ description: `How many letters are tried, ${usuallyTried} when absent.` }),
  })
  .meta({ id: 'TryReplayBody' });

export const tryReplayRoute = defineRoute({
  method: 'POST',
  path: `${path}/try`,
  access: 'read',
  operationId: 'tryReplay',
  summary: 'Show what a replay would make of the first dead letters, with the rows; nothing changes.',
  params: sinkPath,
  body: trialBody,
  responses: { 200: { description: 'What the mapping in use makes of them.', schema: replayTrialSchema } },
  refuses: ['sinkNotFound', 'unprocessableContent'],
  handle: async ({ params, body: { limit, ...named } }, context, { signal }) => {
    const filter = filterOf(named);
    return ok(replayTrialView(await tryReplay(context, { key: sinkKeyOf(params), filter, limit }, { signal })));
  },
});

const last = z
  .object({ replay: replaySchema.nullable().meta({ description: 'The last one; null when there was none.' }) })
  .meta({ id: 'LastReplay' });

export const replayLettersRoute = defineChange({
  method: 'POST',
  path,
  access: 'write',
  operationId: 'replayDeadLetters',
  summary:
    'Map the dead letters of a sink by the mapping in use, exactly once: those that it takes become rows, and are dead no more.',
  params: sinkPath,
  body: replayBody,
  responses: { 200: { description: 'It runs; GET tells how far it is.', schema: replaySchema } },
  refuses: ['sinkNotFound'],
  handle: async ({ params, body: { limit, ...named } }, context, { change, signal }) => {
    const filter = filterOf(named);
    const asked = { key: sinkKeyOf(params), filter, change, ...(limit === undefined ? {} : { limit }) };
    return ok(replayView(await replayLetters(context, asked, { signal })));
  },
});

export const getReplayRoute = defineRoute({
  method: 'GET',
  path,
  access: 'read',
  operationId: 'getReplay',
  summary: 'Tell how far the last replay of dead letters of a sink is.',
  params: sinkPath,
  responses: { 200: { description: 'As it stands now.', schema: last } },
  refuses: ['sinkNotFound'],
  handle: async ({ params }, context, { signal }) => {
    const replay = await readReplay(context, sinkKeyOf(params), { signal });
    return ok({ replay: replay === undefined ? null : replayView(replay) });
  },
});

export const stopReplayRoute = defineChange({
  method: 'POST',
  path: `${path}/stop`,
  access: 'write',
  operationId: 'stopReplay',
  summary: 'Stop the replay of dead letters of a sink: the batch that runs is finished, and no other one begun.',
  params: sinkPath,
  responses: { 200: { description: 'It begins nothing more.', schema: replaySchema } },
  refuses: ['sinkNotFound'],
  handle: async ({ params }, context, { change, signal }) =>
    ok(replayView(await stopReplayOf(context, { key: sinkKeyOf(params), change }, { signal }))),
});
