import { z } from 'zod';
import type { ReplayTrial } from '../../control/letters/try-replay.ts';
import { earlierSchema } from './replay-view.ts';

const triedSchema = z
  .object({
    eventId: z.string(),
    partition: z.int(),
    offset: z.int(),
    outcome: z.enum(['row', 'filtered', 'refused', 'partial']).meta({
      description: '`partial`: the letter does not keep all of its event. It stays, as one that is refused still.',
    }),
    row: z.record(z.string(), z.string()).optional().meta({ description: 'Cells by column.' }),
    reason: z.string().optional(),
    column: z.string().optional(),
    message: z.string().optional(),
    place: z.string().optional(),
  })
  .meta({ id: 'TriedLetter' });

export const replayTrialSchema = z
  .object({
    matching: z.int().meta({ description: 'Letters that a replay would look at.' }),
    earlier: earlierSchema,
    letters: z.array(triedSchema).meta({ description: 'The first of them.' }),
  })
  .meta({ id: 'ReplayTrial' });

/** What a replay would make of the first letters. */
export function replayTrialView({ matching, earlier, mapping, tried }: ReplayTrial): z.input<typeof replayTrialSchema> {
  const names = mapping.columns.map(({ name }) => name);
  return {
    matching,
    earlier,
    letters: tried.map(({ letter, outcome }) => ({
      eventId: letter.event_id,
      partition: Number(letter.partition),
      offset: Number(letter.offset),
      outcome: outcome.kind,
      ...(outcome.kind === 'row'
        ? { row: Object.fromEntries(names.map((name, at) => [name, outcome.cells[at] ?? ''])) }
        : {}),
      ...(outcome.kind === 'refused' ? outcome.refusal : {}),
    })),
  };
}
