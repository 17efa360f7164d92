import { z } from 'zod';
import type { Letter, LetterCount } from '../../control/letters/read-letters.ts';
import type { ShownLetter } from '../../control/letters/show-letters.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { columnSchema } from './sink-view.ts';

export const letterSchema = z
  .object({
    sourceId: z.string(),
    sinkId: z.string(),
    incarnation: z.int().meta({ description: 'Number of the existence of the sink whose mapping refused the event.' }),
    partition: z.int(),
    offset: z.int(),
    eventId: z.string(),
    arrivedAt: z.string(),
    reason: z.string().meta({ description: 'For example `pathNotFound` or `templateError`.' }),
    column: z.string().meta({ description: 'The column whose cell could not be made; empty: the event as a whole.' }),
    message: z.string(),
    place: z
      .string()
      .meta({ description: 'In the template of the column, as line and columns: `1:1-8`; may be empty.' }),
    mappingVersion: z.int(),
    headers: z.record(z.string(), z.string()).meta({ description: 'By canonical name.' }),
    bodyBase64: z.string().meta({ description: 'The bytes of the event.' }),
  })
  .meta({ id: 'DeadLetter' });

export const letterCountSchema = z
  .object({ sourceId: z.string(), sinkId: z.string(), reason: z.string(), column: z.string(), letters: z.int() })
  .meta({ id: 'DeadLetterCount' });

export const shownLetterSchema = letterSchema
  .extend({
    columnRule: columnSchema
      .optional()
      .meta({ description: 'The column as that version of the mapping had it, with its template.' }),
  })
  .meta({ id: 'ShownDeadLetter' });

export type LetterView = z.input<typeof letterSchema>;

/** A row of the dead letter table; cells that somebody has changed by hand are shown as far as they can be read. */
export function letterView(letter: Letter): LetterView {
  return {
    sourceId: letter.source,
    sinkId: letter.sink,
    incarnation: numberOf(letter.incarnation),
    partition: numberOf(letter.partition),
    offset: numberOf(letter.offset),
    eventId: letter.event_id,
    arrivedAt: letter.arrived_at,
    reason: letter.reason,
    column: letter.column,
    message: letter.message,
    place: letter.place,
    mappingVersion: numberOf(letter.mapping_version),
    headers: headersOf(letter.headers),
    bodyBase64: letter.body,
  };
}

export function shownLetterView({ letter, column }: ShownLetter): z.input<typeof shownLetterSchema> {
  return { ...letterView(letter), ...(column === undefined ? {} : { columnRule: columnSchema.parse(column) }) };
}

export function letterCountView({ sourceId, sinkId, reason, column, letters }: LetterCount) {
  return { sourceId, sinkId, reason, column, letters };
}

function numberOf(cell: string): number {
  return /^\d{1,15}$/.test(cell) ? Number(cell) : 0;
}

function headersOf(cell: string): Readonly<Record<string, string>> {
  const schema = z.record(z.string(), z.string());
  try {
    return schema.parse(parseJsonText(cell));
  } catch {
    return {};
  }
}
