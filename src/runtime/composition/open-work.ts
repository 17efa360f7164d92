import { join } from 'node:path';
import { openHttpClient } from '../../adapters/http-client/http-client.ts';
import { parseHostRule } from '../../core/host-rule.ts';
import type { Job } from '../../core/jobs/job.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { Service } from '../../core/service.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import { createEventIds } from '../../events/event-id.ts';
import { SecretKeys } from '../../secrets/secret-keys.ts';
import { Replica } from '../../stages/replica/replica.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { ConfigurationSecrets } from '../../stages/work/configuration-secrets.ts';
import { JobDisk } from '../../stages/work/job-disk.ts';
import { makeFolder } from '../../stages/work/job-folder.ts';
import { RunningJobs } from '../../stages/work/running-jobs.ts';
import { ScheduleKeeper } from '../../stages/work/schedule-keeper.ts';
import { WorkerPresence } from '../../stages/work/worker-presence.ts';
import { WorkService } from '../../stages/work/work-service.ts';
import { observeSchedules } from '../../telemetry/observe-schedules.ts';
import { observeWork } from '../../telemetry/observe-work.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { unreadDocument } from '../../telemetry/unread-document.ts';
import { AskedLoads } from '../loads/asked-loads.ts';
import { systemClock } from '../system-clock.ts';
import { unique } from '../unique.ts';
import type { Ports } from './ports.ts';
import type { ThreadData } from './thread-messages.ts';

export interface WorkContext {
  readonly spec: ThreadData;
  /** Of the process. */
  readonly localFolder: string;
  readonly ports: Ports;
  readonly telemetry: Telemetry;
  /** Of the thread. */
  readonly signal: AbortSignal;
}

export interface OpenedWork {
  readonly make: () => Service;
  /** D10: brings to an end, or hands over, what no service is there to do it for. */
  readonly leave: () => Promise<void>;
}

/** Who watches a job sees it move, and a store in a cluster has little to do with it. */
const progressEveryMs = 2000;

/** What makes the service of the role work, once its folder is empty. */
export async function openWork({ spec, localFolder, ports, telemetry, signal }: WorkContext): Promise<OpenedWork> {
  const { work, loads: port, instance } = spec;
  if (work === undefined || port === undefined)
    throw new MillraceError('internal.bug', 'a thread of the role work is told how jobs are run');
  const { catalog, sinkLog: workLog } = ports;
  const folder = await makeFolder(join(localFolder, 'jobs'));
  const disk = new JobDisk({ folder, bytes: work.diskBytes, reserveBytes: limits.diskReserveBytes });
  const loads = new AskedLoads(port);
  const allowedHosts = work.allowedHosts.map(parseHostRule).filter((rule) => rule !== undefined);
  const observer = observeWork(telemetry);
  const onInvalid = unreadDocument(telemetry);
  const retry = new RetryPacing({ firstMs: 200, capMs: 10_000 }, Math.random);
  const running = new RunningJobs(
    {
      catalog,
      loads,
      openHttp: (settings) => openHttpClient({ ...settings, allowedHosts }),
      secrets: new ConfigurationSecrets(catalog, new SecretKeys(work.encryptionKeys)),
      clock: systemClock,
      random: Math.random,
      retry,
      observer,
      eventIds: createEventIds((words) => crypto.getRandomValues(words)),
      unique,
      folder,
      disk,
      timeoutMs: work.timeoutMs,
      hasOthers: spec.platform.kind === 'cluster',
      progressEveryMs,
    },
    { signal },
  );
  const presence = presenceOf(spec, catalog);
  const make = (): Service => {
    const jobs = new Replica({ catalog, kind: jobDocuments, onInvalid, isWanted: hasNotEnded });
    const keeper = new ScheduleKeeper({
      catalog,
      loads,
      schedules: new Replica({ catalog, kind: scheduleDocuments, onInvalid, dropsNewer: true }),
      openJobs: () => jobs.size,
      clock: systemClock,
      retry,
      observer: observeSchedules(telemetry),
      unique,
    });
    return new WorkService({
      ...work,
      running,
      catalog,
      workLog,
      jobs,
      keeper,
      clock: systemClock,
      observer,
      member: instance,
      presence,
    });
  };
  return { make, leave: () => running.leave(work.drainMs, { signal }) };
}

function hasNotEnded({ phase }: Job): boolean {
  return phase !== 'ended';
}

/** In one process everybody knows. */
function presenceOf({ platform, instance }: ThreadData, catalog: Catalog): WorkerPresence | undefined {
  if (platform.kind === 'embedded') return undefined;
  return new WorkerPresence({ catalog, clock: systemClock, member: instance });
}
