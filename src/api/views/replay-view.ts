import { z } from 'zod';
import type { Replay } from '../../core/progress/sink-progress.ts';

const count = (description: string) => z.int().meta({ description });

export const earlierSchema = count(
  'Letters that the filter took besides, which earlier existences of the sink left: they are not replayed, because their accounts are closed.',
);

export const replaySchema = z
  .object({
    id: z.string(),
    state: z.enum(['running', 'stopped', 'done', 'failed']),
    failure: z
      .object({ code: z.string(), message: z.string() })
      .nullable()
      .meta({ description: 'Why it failed; the letters that it did not reach stay as they are.' }),
    askedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    matching: count('Letters that the filter took when it was asked for.'),
    earlier: earlierSchema,
    seen: count('Letters that were looked at.'),
    rows: count('Letters that are rows of the table now.'),
    filtered: count('Letters that the mapping does not want any more.'),
    refused: count('Letters that the mapping refuses still: they stay.'),
    partial: count('Letters that do not keep all of their event, and cannot be mapped again: they stay.'),
    batches: count('Imports that it took.'),
  })
  .meta({ id: 'Replay' });

export function replayView(replay: Replay): z.input<typeof replaySchema> {
  const { id, state, failure, askedAt, endedAt, matching, earlier = 0, counts, batches } = replay;
  const { seen, rows, filtered, refused, partial } = counts;
  return {
    id,
    state,
    failure: failure === undefined ? null : { code: failure.code, message: failure.message },
    askedAt: new Date(askedAt).toISOString(),
    endedAt: endedAt === undefined ? null : new Date(endedAt).toISOString(),
    matching,
    earlier,
    seen,
    rows,
    filtered,
    refused,
    partial,
    batches,
  };
}
