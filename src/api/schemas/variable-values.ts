import { z } from 'zod';
import type { JobValue } from '../../core/jobs/job.ts';
import { limits } from '../../core/limits.ts';
import { ApiError } from '../errors/api-error.ts';
import { boundedText, maybe } from './field.ts';

const text = boundedText({ min: 0, max: limits.jobRequestBytes });
const scalar = z.union([text, z.number(), z.boolean()]);

/** Values of variables as they come with a job. */
export const valuesData = z.object({
  values: maybe(z.array(z.object({ name: z.union([text, z.number()]), value: scalar }))),
});

/** As they are kept: the text that the reference makes of a scalar, where true is `1` and false is empty. */
export function jobValuesOf(data: z.output<typeof valuesData> | undefined): readonly JobValue[] {
  return (data?.values ?? []).map(({ name, value }) => {
    if (name === '') throw new ApiError('invalidJob', 'Variable name cannot be empty.');
    return { name: String(name), value: typeof value === 'boolean' ? (value ? '1' : '') : String(value) };
  });
}
