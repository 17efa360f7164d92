import { z } from 'zod';
import { rankings, type SinkStanding } from '../../core/accounts/rank-sinks.ts';

const rankedSinkSchema = z
  .object({
    sourceId: z.string(),
    sinkId: z.string(),
    lagEvents: z.int().meta({ description: 'Accepted events that are in no table yet.' }),
    lagSeconds: z.number().meta({ description: 'Age of the oldest of them; 0 when there is none.' }),
    stagedEvents: z.int().meta({ description: 'Rows and dead letters in staging.' }),
    parkedEvents: z.int().meta({ description: 'Those of slices that are set aside.' }),
    deadLetters: z.int().meta({ description: 'Dead letters that are not replayed.' }),
    holes: z
      .int()
      .meta({ description: 'Events that were lost before the sink had them, and that nobody has acknowledged.' }),
    givenUp: z.int().meta({ description: 'Events of slices that were given up.' }),
    difference: z.int().meta({ description: 'What the witnesses of conservation disagree about, absolute.' }),
  })
  .meta({ id: 'RankedSink' });

export const rankingSchema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    by: z.enum(rankings),
    measuredAt: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When this process looked at all sinks; null: it has not yet, and the list is empty.' }),
    page: z.object({ offset: z.int(), limit: z.int(), totalCount: z.int() }).meta({ id: 'RankingPage' }),
    sinks: z.array(rankedSinkSchema),
  })
  .meta({ id: 'Ranking' });

export function rankedSinkView({ key, ...numbers }: SinkStanding): z.input<typeof rankedSinkSchema> {
  return { sourceId: key.sourceId, sinkId: key.sinkId, ...numbers };
}
