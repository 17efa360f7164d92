import type { Catalog, CatalogWrite } from '../../src/ports/catalog.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { Decorate } from '../../src/runtime/composition/ports.ts';
import { withMethod } from '../support/with-method.ts';

/**
 * Places in the protocol at which a process can be made to die: itself, by SIGKILL, in the middle of the call.
 * - `log.commit`: an append to the source log is under way, its answer is not there.
 * - `sink.commit`: the same for the log of outcomes.
 * - `upload.seal`: the slice is uploaded, the document does not name it yet.
 * - `seal.import`: the slice is named, no import has started.
 * - `import.load`: the import is in the document, nothing is loaded.
 * - `import.forget`: the rows are in the table, the document has not forgotten the slices.
 * - `replay.load`: a batch of dead letters is in the document, nothing of it is loaded.
 * - `replay.forget`: its rows are in the table and its letters gone, the document does not count them.
 * - `sink.begin`: the ledger row of an incarnation is there, its document is not.
 * - `sink.switch`: intervals began or ended in the document, nobody was told.
 * - `sink.purge`: the document of a deleted incarnation is gone, its topic and its ledger row are not.
 * - `job.run`: a job is this process's, nothing of it has happened.
 * - `job.load`: what a job found is in local files, its load has begun or is about to.
 * - `job.keep`: its tables are loaded, what it leaves for its next run is not kept.
 * - `job.end`: that is kept, the job has not ended.
 */
export const crashPoints = [
  'log.commit',
  'sink.commit',
  'upload.seal',
  'seal.import',
  'import.load',
  'import.forget',
  'replay.load',
  'replay.forget',
  'sink.begin',
  'sink.switch',
  'sink.purge',
  'job.run',
  'job.load',
  'job.keep',
  'job.end',
] as const;
export type CrashPoint = (typeof crashPoints)[number];

export interface CrashPlan {
  readonly point: CrashPoint;
  /** Dies the n-th time that the point is passed, counted from 1 in each thread. */
  readonly after: number;
}

/** The plan of this process, from its environment. */
export function plannedCrash(environment: NodeJS.ProcessEnv): CrashPlan | undefined {
  const [point, after] = (environment['CHAOS_CRASH'] ?? '').split('@');
  const known = crashPoints.find((name) => name === point);
  return known === undefined ? undefined : { point: known, after: Number(after ?? '1') };
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  // The signal may take a moment to arrive; nothing more may happen until then.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000);
}

/** Ports that end the process at the planned point; without a plan, the ports as they are. */
export function crashingPorts(plan: CrashPlan | undefined): Decorate {
  if (plan === undefined) return (ports) => ports;
  let passed = 0;
  const reached = (point: CrashPoint): boolean => {
    if (point !== plan.point) return false;
    passed += 1;
    return passed === plan.after;
  };
  return (ports) => ({
    ...ports,
    catalog: crashingCatalog(ports.catalog, reached),
    sourceLog: crashingLog(ports.sourceLog, () => reached('log.commit')),
    sinkLog: crashingLog(ports.sinkLog, () => reached('sink.commit')),
  });
}

function crashingLog(log: EventLog, reached: () => boolean): EventLog {
  return withMethod(log, 'append', (at, records, options) => {
    const appended = log.append(at, records, options);
    if (reached()) setImmediate(die);
    return appended;
  });
}

function crashingCatalog(catalog: Catalog, reached: (point: CrashPoint) => boolean): Catalog {
  const compareAndSet: Catalog['compareAndSet'] = async (write, options) => {
    const before = write.collection === 'progress' ? await catalog.get('progress', write.id, options) : undefined;
    const step = stepOf(before?.value, write);
    if (step === 'begin' && reached('sink.begin')) die();
    if (step === 'seal' && reached('upload.seal')) die();
    if (step === 'finish' && reached('import.forget')) die();
    if (step === 'count' && reached('replay.forget')) die();
    const stepOfJob = jobStepOf(write);
    if (stepOfJob === 'keep' && reached('job.keep')) die();
    if (stepOfJob === 'end' && reached('job.end')) die();
    const result = await catalog.compareAndSet(write, options);
    if (result.kind !== 'written') return result;
    if (step === 'seal' && reached('seal.import')) die();
    if (step === 'start' && reached('import.load')) die();
    if (step === 'replay' && reached('replay.load')) die();
    if (step === 'switch' && reached('sink.switch')) die();
    if (stepOfJob === 'run' && reached('job.run')) die();
    if (stepOfJob === 'load' && reached('job.load')) die();
    return result;
  };
  const remove: Catalog['remove'] = async (...given) => {
    const isRemoved = await catalog.remove(...given);
    const [collection] = given;
    if (isRemoved && collection === 'progress' && reached('sink.purge')) die();
    return isRemoved;
  };
  return withMethod(withMethod(catalog, 'compareAndSet', compareAndSet), 'remove', remove);
}

interface Shape {
  readonly staged?: readonly unknown[];
  readonly importing?: unknown;
  readonly replaying?: unknown;
  readonly open?: boolean;
}

type Step = 'begin' | 'seal' | 'start' | 'finish' | 'replay' | 'count' | 'switch';

function stepOf(before: unknown, { collection, value }: CatalogWrite): Step | undefined {
  if (collection !== 'progress') return undefined;
  if (before === undefined) return 'begin';
  const [old, now] = [before as Shape, value as Shape];
  if (old.open !== now.open) return 'switch';
  if (old.importing === undefined && now.importing !== undefined) return 'start';
  if (old.importing !== undefined && now.importing === undefined) return 'finish';
  if (old.replaying === undefined && now.replaying !== undefined) return 'replay';
  if (old.replaying !== undefined && now.replaying === undefined) return 'count';
  return (now.staged?.length ?? 0) > (old.staged?.length ?? 0) ? 'seal' : undefined;
}

type JobStep = 'run' | 'load' | 'keep' | 'end';

/** What a write says of a job. The API writes no state of a configuration here, and ends no job. */
function jobStepOf({ collection, value }: CatalogWrite): JobStep | undefined {
  const { phase, message, state } = value as {
    readonly phase?: string;
    readonly message?: string;
    readonly state?: string;
  };
  switch (collection) {
    case 'job':
      return phase === 'running' ? 'run' : phase === 'ended' ? 'end' : undefined;
    case 'job-event':
      return message?.startsWith('Loading table') === true ? 'load' : undefined;
    case 'configuration':
      return state !== undefined && state.includes('previousStart') ? 'keep' : undefined;
    default:
      return undefined;
  }
}
