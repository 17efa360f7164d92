import { z } from 'zod';
import type { ErrorShape } from '../errors/error-body.ts';

const streamError = z
  .object({
    statusCode: z.int().meta({ description: 'The status of the answer.' }),
    error: z.string().meta({ description: 'The name of the refusal, behind `stream.api.`.' }),
    message: z.string().meta({ description: 'What is wrong, as a sentence, with field, value and rule.' }),
    exceptionId: z.string().optional().meta({ description: 'From status 500 on: under it the log knows more.' }),
  })
  .meta({ id: 'Error' });

const storageError = z
  .object({
    error: z.string().meta({ description: 'What is wrong, as a sentence.' }),
    code: z.string().meta({ description: 'The name of the refusal; empty when no token was sent.' }),
    exceptionId: z.string().meta({ description: 'Under it the log knows more.' }),
    status: z.literal('error'),
  })
  .meta({ id: 'StorageError' });

/** The body of a refusal: one shape under `/v1`, another one under `/v2/storage`. */
export const errorSchemas: Readonly<Record<ErrorShape, z.ZodType>> = { stream: streamError, storage: storageError };
