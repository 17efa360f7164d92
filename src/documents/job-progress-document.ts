import { z } from 'zod';
import type { RunProgress } from '../core/jobs/run-progress.ts';
import { DocumentKind } from './document-kind.ts';
import { count, name, positive, type FieldsOf } from './fields.ts';

const schema: z.ZodType<RunProgress> = z.looseObject({
  attempt: positive,
  owner: name,
  pages: count,
  rows: count,
  bytes: count,
  at: name,
} satisfies FieldsOf<RunProgress>);

/** Documents of collection `job-progress`, under the ids of their jobs. */
export const jobProgressDocuments = new DocumentKind<RunProgress>({ collection: 'job-progress', schema });
