import { z } from 'zod';
import { jobEventTypes, type JobEvent } from '../core/jobs/job-event.ts';
import { componentId } from './configuration-document.ts';
import { DocumentKind } from './document-kind.ts';
import { branchId, name, text, type FieldsOf } from './fields.ts';

const schema: z.ZodType<JobEvent> = z.looseObject({
  eventId: name,
  jobId: name,
  runId: name,
  branchId,
  componentId,
  configurationId: name.exactOptional(),
  type: z.enum(jobEventTypes),
  message: text,
  created: name,
} satisfies FieldsOf<JobEvent>);

/** Documents of collection `job-event`. */
export const jobEventDocuments = new DocumentKind<JobEvent>({ collection: 'job-event', schema });
