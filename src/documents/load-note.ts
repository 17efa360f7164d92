import { z } from 'zod';
import type { LoadNote } from '../core/jobs/load-note.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import { text, type FieldsOf } from './fields.ts';
import { jobResult } from './job-document.ts';

const schema: z.ZodType<LoadNote> = z.looseObject({
  result: jobResult,
  states: z.array(z.looseObject({ rowId: text.exactOptional(), createdAt: text, state: text })),
} satisfies FieldsOf<LoadNote>);

/** The note of a load that a job has made. `catalog.invalidDocument` for any other text. */
export function readLoadNote(note: string): LoadNote {
  try {
    return schema.parse(parseJsonText(note));
  } catch (thrown) {
    throw new MillraceError('catalog.invalidDocument', 'the note of a load is none of a job', { cause: thrown });
  }
}

export function writeLoadNote(note: LoadNote): string {
  return JSON.stringify(note);
}
