import { z } from 'zod';
import { shownValue } from '../../core/jobs/job-values.ts';
import { phaseOf, statusOf, type Job, type JobResult } from '../../core/jobs/job.ts';
import type { RunProgress } from '../../core/jobs/run-progress.ts';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { tableName, parseTableId } from '../../core/table-id.ts';
import { jobTimes } from '../../control/reports/job-times.ts';
import type { Addresses } from '../addresses.ts';
import { offsetTime } from './offset-time.ts';

const value = z.object({ name: z.string(), value: z.string() });
const time = z.string().nullable();
/** What this product has none of. */
const none = z.string().nullable();

const resultSchema = z
  .object({
    message: z.string(),
    configVersion: z.string().nullable(),
    images: z.array(z.unknown()),
    input: z.object({ tables: z.array(z.unknown()) }),
    output: z.object({
      tables: z.array(
        z.object({
          id: z.string(),
          name: z.string(),
          displayName: z.string(),
          columns: z.array(z.object({ name: z.string() })),
          rowsCount: z.int(),
          sizeBytes: z.int(),
        }),
      ),
    }),
    artifacts: z.object({ uploaded: z.array(z.unknown()), downloaded: z.array(z.unknown()) }),
    variables: z.array(value).meta({ description: 'What was put in for the placeholders.' }),
    error: z
      .object({ type: z.enum(['user', 'application']), exceptionId: z.string() })
      .optional()
      .meta({ description: '`user`: who configured it can mend it.' }),
  })
  .meta({ id: 'JobResult' });

const progressSchema = z
  .object({
    pages: z.int(),
    rows: z.int().meta({ description: 'Items of all pages; a table may have more rows, or fewer.' }),
    bytes: z.int().meta({ description: 'Of the bodies of answers.' }),
    time: z.string().meta({ description: 'When it was so.' }),
  })
  .meta({ id: 'JobProgress' });

export const jobSchema = z
  .object({
    id: z.string().meta({ description: 'A number.' }),
    runId: z.string().meta({ description: "The parent's run id, a dot and the id; without a parent the id." }),
    parentRunId: z.string(),
    project: z.object({ id: z.string(), name: z.string() }),
    token: z.object({ id: z.string(), description: z.string() }),
    status: z
      .enum(['processing', 'success', 'warning', 'error', 'terminated', 'cancelled'])
      .meta({ description: '`processing` until the job has ended.' }),
    phase: z
      .enum(['created', 'waiting', 'running', 'terminating', 'ended'])
      .meta({ description: 'Where it stands: `waiting` for others, `terminating` since somebody asked for its end.' }),
    desiredStatus: z.enum(['processing', 'terminating']),
    mode: z.enum(['run', 'forceRun', 'debug']),
    component: z.string(),
    config: z.string().nullable(),
    configData: z.record(z.string(), z.unknown()),
    configRowIds: z.array(z.string()),
    tag: z.string().nullable(),
    createdTime: z.string(),
    startTime: time,
    endTime: time,
    delayedStartTime: time,
    scheduledFor: time.meta({
      description: 'The time for which the schedule of the configuration planned it; null when somebody asked for it.',
    }),
    durationSeconds: z.int(),
    attempt: z.int().meta({ description: 'How often it was begun: again each time its process ended while it ran.' }),
    heldUp: z
      .string()
      .nullable()
      .meta({ description: 'Why nobody begins it, in words, where that is not its turn; null otherwise.' }),
    progress: progressSchema.nullable().meta({
      description: 'How far its run is, some seconds late; the last state stays. Null before the first page.',
    }),
    result: z.union([resultSchema, z.object({}).strict()]).meta({ description: 'Empty until the job has ended.' }),
    usageData: z.object({}),
    isFinished: z.boolean(),
    url: z.url(),
    branchId: z.string(),
    variableValuesId: z.string().nullable(),
    variableValuesData: z
      .object({ values: z.array(value) })
      .meta({ description: 'A value that the configuration puts at a key with `#` is `[hidden]`.' }),
    backend: z.object({}),
    executor: none,
    metrics: z.object({
      storage: z.object({ inputTablesBytesSum: z.int(), outputTablesBytesSum: z.int() }),
      backend: z.object({ size: none, containerSize: none, context: none }),
    }),
    behavior: z.object({ onError: none }),
    parallelism: none,
    type: z.literal('standard'),
    orchestrationJobId: none,
    orchestrationTaskId: none,
    onlyOrchestrationTaskIds: none,
    previousJobId: none,
  })
  .meta({ id: 'Job' });

export interface JobShown {
  readonly addresses: Addresses;
  readonly now: number;
  readonly progress: RunProgress | undefined;
  /** In words. */
  readonly heldUp: string | null;
}

/** A job as its interface shows it. */
export function jobView(job: Job, { addresses, now, progress, heldUp }: JobShown): z.input<typeof jobSchema> {
  const { request, created, runId, jobId } = job;
  const { startMs, endMs, createdMs, durationSeconds } = jobTimes(job, now);
  const { configurationId = null, configurationData, variableValuesId = null, tag = null, parentRunId = '' } = request;
  const phase = phaseOf(job);
  const tables = job.phase === 'ended' ? job.result.tables : [];
  return {
    id: jobId,
    runId,
    parentRunId,
    project: { id: String(addresses.projectId), name: `Project ${addresses.projectId}` },
    token: { id: created.by.tokenId ?? '', description: created.by.tokenDesc ?? '' },
    status: statusOf(job),
    phase,
    desiredStatus: phase === 'terminating' || endedByRequest(job) ? 'terminating' : 'processing',
    mode: request.mode,
    component: request.componentId,
    config: configurationId,
    configData: objectOf(configurationData),
    configRowIds: [...request.rowIds],
    tag,
    createdTime: offsetTime(createdMs),
    startTime: timeOf(startMs),
    endTime: timeOf(endMs),
    delayedStartTime: timeOf(request.notBefore === undefined ? undefined : Date.parse(request.notBefore)),
    scheduledFor: timeOf(request.scheduledFor === undefined ? undefined : Date.parse(request.scheduledFor)),
    durationSeconds,
    attempt: 'run' in job ? (job.run?.attempt ?? 0) : 0,
    heldUp,
    progress: progress === undefined ? null : progressView(progress),
    result: job.phase === 'ended' ? resultView(job.result) : {},
    usageData: {},
    isFinished: job.phase === 'ended',
    url: addresses.job(jobId),
    branchId: String(request.branchId),
    variableValuesId,
    variableValuesData: { values: request.variableValues.map(shownValue) },
    backend: {},
    executor: null,
    metrics: {
      storage: { inputTablesBytesSum: 0, outputTablesBytesSum: tables.reduce((sum, { bytes }) => sum + bytes, 0) },
      backend: { size: null, containerSize: null, context: null },
    },
    behavior: { onError: null },
    parallelism: null,
    type: 'standard',
    orchestrationJobId: null,
    orchestrationTaskId: null,
    onlyOrchestrationTaskIds: null,
    previousJobId: null,
  };
}

function progressView({ pages, rows, bytes, at }: RunProgress): z.input<typeof progressSchema> {
  return { pages, rows, bytes, time: offsetTime(Date.parse(at)) };
}

function endedByRequest(job: Job): boolean {
  return job.phase === 'ended' && (job.status === 'terminated' || job.status === 'cancelled');
}

function timeOf(ms: number | undefined): string | null {
  return ms === undefined ? null : offsetTime(ms);
}

function objectOf(text: string | undefined): Readonly<Record<string, unknown>> {
  const value: unknown = text === undefined ? {} : parseJsonText(text);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : {};
}

function resultView({
  message,
  configurationVersion,
  tables,
  variables,
  error,
}: JobResult): z.input<typeof resultSchema> {
  return {
    message,
    configVersion: configurationVersion === undefined ? null : String(configurationVersion),
    images: [],
    input: { tables: [] },
    output: {
      tables: tables.map(({ tableId, columns, rows, bytes }) => {
        const { table } = tableName(parseTableId(tableId));
        const named = columns.map((name) => ({ name }));
        return { id: tableId, name: table, displayName: table, columns: named, rowsCount: rows, sizeBytes: bytes };
      }),
    },
    artifacts: { uploaded: [], downloaded: [] },
    variables: variables.map(({ name, value: text }) => ({ name, value: text })),
    ...(error && { error: { type: error.type, exceptionId: error.exceptionId } }),
  };
}
