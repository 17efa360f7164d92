import type { Clock } from '../../core/clock.ts';
import type { JobRequest } from '../../core/jobs/job.ts';
import { jobLoad } from '../../core/jobs/job-load.ts';
import { limits } from '../../core/limits.ts';
import {
  afterMistake,
  bySchedule,
  claimRun,
  markMade,
  passRun,
  type Decision,
} from '../../core/schedules/decide-run.ts';
import { dueRun } from '../../core/schedules/due-run.ts';
import type { MissedReason, Schedule, ScheduledRun } from '../../core/schedules/schedule.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { counterDocuments, jobCounter } from '../../documents/counter-document.ts';
import { configurationDocumentId, jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { createJobDocument, createdJob, takeJobNumber, type JobStores } from '../../documents/make-job.ts';
import { readDocument } from '../../documents/read-document.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ScheduleObserver } from '../../telemetry/observe-schedules.ts';
import { auditScheduledJob } from './audit-scheduled-job.ts';

export interface KeepParts extends JobStores {
  readonly clock: Pick<Clock, 'now'>;
  readonly unique: () => string;
  readonly observer: ScheduleObserver;
  /** How many jobs wait or run. */
  readonly openJobs: () => number;
}

/**
 * Does what is due of one schedule, by its document as it is now: makes the job that was decided on and does not stand yet, then decides
 * on the planned time that has come. Several processes may do so at once, and each may end anywhere: a planned time has one job or none.
 */
export async function keepSchedule(parts: KeepParts, id: string, waiting: Waiting): Promise<void> {
  const { catalog, clock, observer } = parts;
  const found = (await readDocument(catalog, { kind: scheduleDocuments, id }, waiting))?.value;
  if (found === undefined) return;
  if (found.lastRun?.isMade === false)
    return await makeDecided(parts, { schedule: found, run: found.lastRun }, waiting);
  const now = clock.now();
  if (await change(parts, { id, with: (schedule) => afterMistake(schedule, { now }) }, waiting))
    return observer.clockWasWrong(found);
  const due = dueRun(found, { now });
  if (due === undefined) return;
  const why = await whyNot(parts, found, waiting);
  if (why === undefined) await decide(parts, { id, due, now }, waiting);
  else await pass(parts, { id, due, now, reason: why === 'notToRun' ? undefined : why }, waiting);
}

/** Why the configuration is not run now. */
async function whyNot(
  { catalog, openJobs }: KeepParts,
  schedule: Schedule,
  waiting: Waiting,
): Promise<MissedReason | 'notToRun' | undefined> {
  const id = configurationDocumentId(schedule);
  const configuration = (await readDocument(catalog, { kind: configurationDocuments, id }, waiting))?.value;
  if (configuration === undefined || configuration.deleted !== undefined || configuration.isDisabled) return 'notToRun';
  const { lastRun } = schedule;
  if (lastRun !== undefined) {
    const place = { kind: jobDocuments, id: jobDocumentId(lastRun.jobId) };
    const phase = (await readDocument(catalog, place, waiting))?.value.phase ?? 'ended';
    if (phase !== 'ended') return 'stillRunning';
  }
  return openJobs() >= limits.openJobs ? 'tooManyJobs' : undefined;
}

type Due = Decision & { readonly id: string };

async function decide(parts: KeepParts, { id, ...decision }: Due, waiting: Waiting): Promise<void> {
  const { unique, observer } = parts;
  const jobId = await takeJobNumber(parts, { taker: unique() }, waiting);
  const claim = (schedule: Schedule): Schedule | undefined => claimRun(schedule, { ...decision, jobId });
  const schedule = await change(parts, { id, with: claim }, waiting);
  // Somebody else has decided. The number is nobody's.
  if (schedule?.lastRun?.jobId !== jobId) return;
  const { plannedFor, passed, lastPassed = plannedFor } = decision.due;
  if (passed > 0) observer.runsMissed(schedule, { count: passed, plannedFor: lastPassed, reason: 'nobodyRan' });
  observer.runDecided(schedule, { jobId, plannedFor, lateMs: decision.now - plannedFor });
  await makeDecided(parts, { schedule, run: schedule.lastRun }, waiting);
}

async function pass(
  parts: KeepParts,
  { id, reason, ...decision }: Due & { readonly reason: MissedReason | undefined },
  waiting: Waiting,
): Promise<void> {
  const schedule = await change(parts, { id, with: (found) => passRun(found, { ...decision, reason }) }, waiting);
  if (schedule === undefined || reason === undefined) return;
  const { plannedFor, passed } = decision.due;
  parts.observer.runsMissed(schedule, { count: passed + 1, plannedFor, reason });
}

interface Decided {
  readonly schedule: Schedule;
  readonly run: ScheduledRun;
}

/** Makes the job under the number that it was decided with, unless it stands or stood, and says so in the schedule. */
async function makeDecided(parts: KeepParts, { schedule, run }: Decided, waiting: Waiting): Promise<void> {
  const { catalog, loads } = parts;
  const { jobId, plannedFor } = run;
  if (!(await hasStood(parts, run, waiting))) {
    const created = { at: new Date(parts.clock.now()).toISOString(), by: bySchedule };
    const job = createdJob(jobId, { request: requestOf(schedule, plannedFor), created });
    // Whoever looks for rows without a job may have removed it meanwhile.
    await loads.openLoad(jobLoad(jobId), waiting);
    await auditScheduledJob(catalog, { job, run }, waiting);
    await createJobDocument(catalog, job, waiting);
  }
  await change(parts, { id: configurationDocumentId(schedule), with: (found) => markMade(found, jobId) }, waiting);
}

/** Whether the job of the run is there, or was: a job that has ended goes after a while, and must not be made again. */
async function hasStood(
  { catalog, loads, clock }: KeepParts,
  { jobId, at }: ScheduledRun,
  waiting: Waiting,
): Promise<boolean> {
  if ((await catalog.get('job', jobDocumentId(jobId), waiting)) !== undefined) return true;
  const verdict = (await loads.readLoad(jobLoad(jobId), waiting))?.verdict;
  if (verdict === 'open') return false;
  if (verdict !== undefined) return true;
  const counter = await readDocument(catalog, { kind: counterDocuments, id: jobCounter }, waiting);
  const later = (counter?.value.last ?? 0) - Number(jobId);
  return later >= limits.endedJobs || clock.now() - Date.parse(at) >= limits.jobAgeMs;
}

function requestOf(schedule: Schedule, scheduledFor: string): JobRequest {
  const { branchId, componentId, configurationId, variableValuesId, variableValues } = schedule;
  return {
    branchId,
    componentId,
    configurationId,
    rowIds: [],
    mode: 'run',
    ...(variableValuesId !== undefined && { variableValuesId }),
    variableValues,
    scheduledFor,
  };
}

/** The schedule after a change; undefined when there was nothing to change. */
async function change(
  { catalog }: KeepParts,
  { id, with: make }: { readonly id: string; readonly with: (schedule: Schedule) => Schedule | undefined },
  waiting: Waiting,
): Promise<Schedule | undefined> {
  let after: Schedule | undefined;
  const once = (found: Schedule | undefined): Schedule | undefined => {
    after = found && make(found);
    return after;
  };
  await changeDocument<Schedule>(catalog, { kind: scheduleDocuments, id, change: once }, waiting);
  return after;
}
