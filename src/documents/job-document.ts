import { z } from 'zod';
import { jobModes, type Job, type JobRequest, type JobResult, type JobRun } from '../core/jobs/job.ts';
import { componentId } from './configuration-document.ts';
import { branchId, count, name, positive, stamp, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const value = z.looseObject({ name: text, value: text, isSecret: z.literal(true).exactOptional() });

const request: z.ZodType<JobRequest> = z.looseObject({
  branchId,
  componentId,
  configurationId: name.exactOptional(),
  configurationData: text.exactOptional(),
  rowIds: z.array(text),
  mode: z.enum(jobModes),
  tag: text.exactOptional(),
  variableValuesId: text.exactOptional(),
  variableValues: z.array(value),
  parentRunId: text.exactOptional(),
  scheduledFor: text.exactOptional(),
  notBefore: text.exactOptional(),
} satisfies FieldsOf<JobRequest>);

const run: z.ZodType<JobRun> = z.looseObject({
  attempt: positive,
  owner: name,
  startedAt: name,
} satisfies FieldsOf<JobRun>);

export const jobResult: z.ZodType<JobResult> = z.looseObject({
  message: text,
  configurationVersion: positive.exactOptional(),
  tables: z.array(z.looseObject({ tableId: name, columns: z.array(text), rows: count, bytes: count })),
  variables: z.array(value),
  error: z.looseObject({ type: z.enum(['user', 'application']), exceptionId: text }).exactOptional(),
} satisfies FieldsOf<JobResult>);

const shared = { jobId: name, created: stamp, request, runId: name };

const schema: z.ZodType<Job> = z.discriminatedUnion('phase', [
  z.looseObject({ ...shared, phase: z.literal('created') }),
  z.looseObject({ ...shared, phase: z.literal('waiting') }),
  z.looseObject({ ...shared, phase: z.literal('running'), run, isEnding: z.boolean() }),
  z.looseObject({
    ...shared,
    phase: z.literal('ended'),
    status: z.enum(['success', 'warning', 'error', 'terminated', 'cancelled']),
    endedAt: name,
    run: run.exactOptional(),
    result: jobResult,
  }),
]);

/** Documents of collection `job`. */
export const jobDocuments = new DocumentKind<Job>({ collection: 'job', schema });
