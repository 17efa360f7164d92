import { z } from 'zod';
import { rankings, rankSinks } from '../../../core/accounts/rank-sinks.ts';
import { limits } from '../../../core/limits.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { branchPath } from '../../schemas/path.ts';
import { rankingSchema, rankedSinkView } from '../../views/ranking-view.ts';

const most = Number.MAX_SAFE_INTEGER;

const query = z.object({
  by: maybe(z.enum(rankings)).meta({
    description: 'What the sinks are ordered by, most first; `lagSeconds` when absent.',
  }),
  offset: maybe(integerText({ name: 'offset', min: 0, max: most })).meta({
    description: 'Leave out so many; 0 when absent.',
  }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `Items on a page, ${limits.listPage} when absent.`,
  }),
});

export const rankSinksRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/ranking',
  access: 'read',
  operationId: 'rankSinks',
  summary:
    'List the sinks with most lag, dead letters, losses and the like, most first, whether or not the metrics have a series of them.',
  params: branchPath,
  query,
  responses: {
    200: { description: 'Those that have any of it, as the last look at all sinks found them.', schema: rankingSchema },
  },
  handle: (
    { params, query: { by = 'lagSeconds', offset = 0, limit = limits.listPage } },
    { standings, addresses: { projectId } },
  ) => {
    const branchId = branchOf(params);
    const last = standings?.();
    const ranked = rankSinks(last?.sinks.filter(({ key }) => key.branchId === branchId) ?? [], by);
    return Promise.resolve(
      ok({
        projectId,
        branchId,
        by,
        measuredAt: last === undefined ? null : new Date(last.at).toISOString(),
        page: { offset, limit, totalCount: ranked.length },
        sinks: ranked.slice(offset, offset + limit).map(rankedSinkView),
      }),
    );
  },
});
