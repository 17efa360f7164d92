import type { Catalog, CatalogWrite } from '../../src/ports/catalog.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { Decorate } from '../../src/runtime/composition/ports.ts';

/**
 * Places in the protocol at which a process can be made to die: itself, by SIGKILL, in the middle of the call.
 * - `log.commit`: an append to the source log is under way, its answer is not there.
 * - `sink.commit`: the same for the log of outcomes.
 * - `upload.seal`: the slice is uploaded, the document does not name it yet.
 * - `seal.import`: the slice is named, no import has started.
 * - `import.load`: the import is in the document, nothing is loaded.
 * - `import.forget`: the rows are in the table, the document has not forgotten the slices.
 */
export const crashPoints = [
  'log.commit',
  'sink.commit',
  'upload.seal',
  'seal.import',
  'import.load',
  'import.forget',
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
  return ({ catalog, sourceLog, sinkLog, objects }) => ({
    catalog: crashingCatalog(catalog, reached),
    sourceLog: crashingLog(sourceLog, () => reached('log.commit')),
    sinkLog: crashingLog(sinkLog, () => reached('sink.commit')),
    objects,
  });
}

/** A copy of an object whose method `name` is `replacement`; everything else goes to the original. */
function withMethod<T extends object, Name extends keyof T>(target: T, name: Name, replacement: T[Name]): T {
  return new Proxy(target, {
    get: (original, property) => {
      if (property === name) return replacement;
      const value: unknown = Reflect.get(original, property, original);
      return typeof value === 'function' ? (value.bind(original) as unknown) : value;
    },
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
  return withMethod(catalog, 'compareAndSet', async (write, options) => {
    const before = write.collection === 'progress' ? await catalog.get('progress', write.id, options) : undefined;
    const step = stepOf(before?.value, write);
    if (step === 'seal' && reached('upload.seal')) die();
    if (step === 'finish' && reached('import.forget')) die();
    const result = await catalog.compareAndSet(write, options);
    if (step === 'seal' && reached('seal.import')) die();
    if (step === 'start' && reached('import.load')) die();
    return result;
  });
}

interface Shape {
  readonly staged?: readonly unknown[];
  readonly importing?: unknown;
  readonly nextImport?: number;
}

function stepOf(before: unknown, { collection, value }: CatalogWrite): 'seal' | 'start' | 'finish' | undefined {
  if (collection !== 'progress' || before === undefined) return undefined;
  const [old, now] = [before as Shape, value as Shape];
  if (old.importing === undefined && now.importing !== undefined) return 'start';
  if (old.importing !== undefined && now.importing === undefined) return 'finish';
  return (now.staged?.length ?? 0) > (old.staged?.length ?? 0) ? 'seal' : undefined;
}
