import { componentOf } from '../../core/component.ts';
import type { ConfigurationKey } from '../../core/configuration.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { CronTimes } from '../../core/schedules/cron-times.ts';
import { redefined } from '../../core/schedules/decide-run.ts';
import type { Schedule, ScheduleDefinition } from '../../core/schedules/schedule.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import type { Parts } from '../parts.ts';
import { noSchedule } from '../store/configurations.ts';
import { aloneOnConfiguration } from './alone-on-configuration.ts';

export type ScheduleParts = Pick<Parts, 'catalog' | 'clock' | 'configurations' | 'runsJobs' | 'tasks'>;

const nobodyRuns =
  'No process of this product runs jobs, so that nobody would keep the schedule; give it "isEnabled": false.';

export interface ScheduleSetting {
  readonly key: ConfigurationKey;
  readonly definition: ScheduleDefinition;
  readonly change: Change;
}

/**
 * Gives a configuration a schedule, or another one. What it plans begins from now; a job that it has decided on already is made.
 * `schedule.invalid` for what can never be kept, `configuration.notFound`.
 */
export async function setSchedule(
  parts: ScheduleParts,
  { key, definition, change }: ScheduleSetting,
  options: Waiting,
): Promise<Schedule> {
  const { catalog, configurations, clock } = parts;
  requireKeepable(parts, key, definition);
  return aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    await configurations.get(key, options);
    await change.begin({ kind: 'schedule', ...key }, options);
    const [now, updated] = [clock.now(), stampNow(parts, change.by)];
    const make = (found: Schedule | undefined): Schedule =>
      found === undefined
        ? { ...key, ...definition, created: updated, updated, decidedUntil: new Date(now).toISOString(), missed: 0 }
        : { ...redefined(found, { definition, now }), updated };
    const id = configurationDocumentId(key);
    const written = await changeDocument(catalog, { kind: scheduleDocuments, id, change: make }, options);
    return written?.value ?? make(undefined);
  });
}

/** Removes the schedule of a configuration; `schedule.notFound`. A job that it has made goes on. */
export async function deleteSchedule(
  parts: ScheduleParts,
  { key, change }: Omit<ScheduleSetting, 'definition'>,
  options: Waiting,
): Promise<void> {
  const { configurations } = parts;
  await aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    await configurations.get(key, options);
    if ((await configurations.findSchedule(key, options)) === undefined) throw noSchedule(key);
    await change.begin({ kind: 'schedule', ...key }, options);
    await removeSchedule(parts, key, options);
  });
}

/** The same for one that may have none, with its configuration. */
export async function removeSchedule(
  { catalog }: Pick<Parts, 'catalog'>,
  key: ConfigurationKey,
  options: Waiting,
): Promise<void> {
  const { collection } = scheduleDocuments;
  await removeDocument(catalog, { collection, id: configurationDocumentId(key) }, options);
}

function requireKeepable(
  { runsJobs }: Pick<ScheduleParts, 'runsJobs'>,
  { componentId }: ConfigurationKey,
  definition: ScheduleDefinition,
): void {
  if (componentOf(componentId)?.isRunnable !== true)
    throw invalid(`The component "${componentId}" is not runnable: its configurations have no schedule.`);
  CronTimes.of(definition);
  if (definition.variableValuesId !== undefined && definition.variableValues.length > 0)
    throw invalid('Provide either "variableValuesId" or "variableValuesData", but not both.');
  const bytes = Buffer.byteLength(JSON.stringify(definition));
  if (bytes > limits.jobRequestBytes)
    throw invalid(`The schedule has ${bytes} bytes with its values, the maximum is ${limits.jobRequestBytes}.`);
  if (definition.isEnabled && runsJobs === 'nowhere') throw invalid(nobodyRuns);
}

function invalid(message: string): MillraceError {
  return new MillraceError('schedule.invalid', message);
}
