import { formatHostRule } from '../../core/host-rule.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { systemClock } from '../system-clock.ts';
import type { ComposeOptions } from './compose-options.ts';
import { tablesOf, type Shared } from './main-services.ts';
import { spanTargetOf } from './open-spans.ts';
import { pulseLimits } from './pulse.ts';
import type { ThreadSpec, WorkSpec } from './thread-messages.ts';
import { ThreadService, type ThreadOptions } from './thread-service.ts';
import { untilJob } from './until-job.ts';

type ThreadNeeds = Pick<ThreadSpec, 'ingest' | 'work'> &
  Pick<ThreadOptions, 'hindrances' | 'known' | 'loads' | 'onEnded' | 'until'>;

/** Makes a thread of a role; those of one role are counted from 0. */
export type MakeThread = (role: ThreadSpec['role'], index: number, needs?: ThreadNeeds) => ThreadService;

export function roleThreads(options: ComposeOptions): MakeThread {
  const { config, platform, threadEntry, breakdown, pulseLimits: pulse = pulseLimits } = options;
  const { logLevel, templates, quick } = config;
  return (role, index, { ingest, work, ...given } = {}) => {
    const thread = index === 0 ? role : `${role}-${index + 1}`;
    const instance = platform.spec.kind === 'embedded' ? thread : `${platform.instance}-${thread}`;
    const traces = role === 'work' ? undefined : spanTargetOf(options, thread);
    const spec = { role, thread, instance, platform: platform.spec, logLevel, templates, quick, traces };
    const own = { ...(ingest === undefined ? {} : { ingest }), ...(work === undefined ? {} : { work }) };
    return new ThreadService({ ...spec, ...own }, { entry: threadEntry, onBroken: breakdown.report, pulse, ...given });
  };
}

/** Jobs are run in a thread that loads what they found by this one. In one process it starts with the first job. */
export function workThread(shared: Shared, makeThread: MakeThread): ThreadService {
  const { config, platform, ports, secretKeys } = shared;
  const { drainTimeoutMs, extractor, jobs } = config;
  const work: WorkSpec = {
    ...jobs,
    takeOverMs: platform.jobTakeOverMs,
    drainMs: drainTimeoutMs / 3,
    allowedHosts: extractor.allowedHosts.map(formatHostRule),
    encryptionKeys: secretKeys.reveal(),
  };
  const until = (waiting: Waiting): Promise<void> => untilJob(ports.catalog, systemClock, waiting);
  const isLazy = platform.spec.kind === 'embedded';
  return makeThread('work', 0, { work, loads: tablesOf(platform), ...(isLazy ? { until } : {}) });
}
