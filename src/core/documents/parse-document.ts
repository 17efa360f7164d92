import type { z } from 'zod';
import { MillraceError } from '../millrace-error.ts';

/**
 * Makes a type of what the catalog gave back. Fields that the schema does not know are dropped, so that a document of a
 * newer minor version can still be read; anything else that differs is `catalog.invalidDocument`, naming collection and
 * path but no value, because documents hold secrets.
 */
export function parseDocument<Document>(collection: string, schema: z.ZodType<Document>, value: unknown): Document {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const path = issue?.path.map(String).join('.') ?? '';
  const what = issue?.message ?? 'does not have its shape';
  throw new MillraceError(
    'catalog.invalidDocument',
    `a document of the collection "${collection}" is invalid at "${path === '' ? '(root)' : path}": ${what}`,
    { cause: result.error, details: { collection, path } },
  );
}
