import { z } from 'zod';
import { limits } from '../../core/limits.ts';
import { boundedText, maybe } from './field.ts';
import { shown } from '../errors/validation-error.ts';

/** What is wrong with a field of a bucket has a code of its own. */
function checked<Schema extends z.ZodType>(schema: Schema, rule: string) {
  return z
    .unknown()
    .optional()
    .transform((value, context): z.output<Schema> => {
      const parsed = schema.safeParse(value);
      if (parsed.success) return parsed.data;
      const isMissing = value === undefined || value === null;
      const message = isMissing
        ? `{field} is missing: it must be ${rule}`
        : `{field} must be ${rule} but got value ${shown(value)}`;
      context.addIssue({ code: 'custom', params: { name: 'bucketValidation' }, message });
      return z.NEVER;
    });
}

const nameLength = limits.tableNameLength;
const name = boundedText({ min: 1, max: nameLength });
const stage = z.enum(['in', 'out']);
const displayName = maybe(boundedText({ min: 1, max: nameLength }));
const description = maybe(boundedText({ min: 0, max: limits.descriptionLength }));

export const createBucketBody = z
  .object({
    name: checked(name, `a text of 1 to ${nameLength} characters`).meta({
      type: 'string',
      minLength: 1,
      maxLength: nameLength,
      description: 'Letters, digits, `_` and `-`; `c-` is put before it where it does not begin so.',
    }),
    stage: checked(stage, '"in" or "out"').meta({ type: 'string', enum: ['in', 'out'] }),
    displayName: checked(displayName, `a text of 1 to ${nameLength} characters`).meta({
      type: 'string',
      maxLength: nameLength,
      description: 'What people call it; its name when absent.',
    }),
    description: checked(description, `a text of at most ${limits.descriptionLength} characters`).meta({
      type: 'string',
      maxLength: limits.descriptionLength,
    }),
  })
  .meta({ id: 'CreateBucketBody', required: ['name', 'stage'] });
