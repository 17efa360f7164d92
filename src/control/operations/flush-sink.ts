import { progressId } from '../../documents/document-id.ts';
import type { Incarnation, SinkKey } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { heldBack, isDelivered } from '../../core/progress/flush.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { sumSlices } from '../../core/progress/slice-sum.ts';
import type { Ends } from '../../core/progress/source-ends.ts';
import type { Sink } from '../../core/sink.ts';
import { isOld, isOnlyLate, type SinkStatus } from '../../core/sink-status.ts';
import type { TableId } from '../../core/table-id.ts';
import type { Task } from '../../core/task.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import type { Change } from '../audit/change.ts';
import { readStatuses } from '../store/read-statuses.ts';
import { flushProgress, flushRest, type ChangeProgressParts } from './change-progress.ts';
import { endsIfKnown } from '../ends/ends-if-known.ts';
import { Standstill, missingFor, restOf, type Late } from './standstill.ts';
import { sinkOutputs } from './task-outputs.ts';

type FlushSinkParts = Pick<Parts, 'addresses' | 'clock' | 'definitions' | 'tasks'> & ChangeProgressParts;

const lookEveryMs = 100;
/** A sink that says that it will try again within this time is given the chance. */
const graceMs = 5000;
/** What does not move for so long while a server is missing waits for that server. */
const stillMs = 15_000;
/** A flush ends before the time of a task is up, so that it can say what is left. */
const patienceMs = limits.taskTimeoutMs - 10_000;

/**
 * Starts the task that ends when everything accepted before the call is in the table, or in error with the sink's
 * reason; of a deleted sink, too, and of one that has come back what it accepted before it was deleted. The ends are read
 * inside the request: what comes later is not waited for.
 */
export async function flushSink(
  parts: FlushSinkParts,
  { key, change }: { readonly key: SinkKey; readonly change: Change },
  options: Waiting,
): Promise<Task> {
  const sink = await parts.definitions.knownSink(key, options);
  const { tableId } = sink.table;
  let asked: readonly Asked[] = [];
  return parts.tasks.start(
    {
      operation: 'flush',
      object: 'sink',
      subject: key,
      change,
      claims: [],
      onlyWaits: true,
      prepare: async (waiting) => {
        asked = await askAll(parts, sink, waiting);
      },
      run: async (waiting) => {
        await waitForDelivery(parts, { key, tableId, asked }, waiting);
        return 'Sink has been flushed successfully.';
      },
      outputs: sinkOutputs(parts.addresses, key),
    },
    options,
  );
}

/** What an incarnation is to deliver. */
interface Asked {
  readonly incarnation: Incarnation;
  readonly ends: Ends;
}

async function askAll(parts: FlushSinkParts, sink: Sink, options: Waiting): Promise<readonly Asked[]> {
  const asked: Asked[] = [];
  for (const { incarnation } of await parts.definitions.earlierOf(sink, options))
    asked.push({ incarnation, ends: await flushRest(parts, incarnation, options) });
  const { incarnation, deleted } = sink;
  const flush = deleted === undefined ? flushProgress : flushRest;
  return [...asked, { incarnation, ends: await flush(parts, incarnation, options) }];
}

interface Delivery {
  readonly key: SinkKey;
  readonly tableId: TableId;
  readonly asked: readonly Asked[];
}

/** Resolves when everything below the ends is delivered; rejects with the reason when that will not be soon. */
async function waitForDelivery(
  parts: FlushSinkParts,
  { key, tableId, asked }: Delivery,
  options: Waiting,
): Promise<void> {
  const { clock } = parts;
  const startedAt = clock.monotonic();
  let troubleSince: number | undefined;
  const still = new Standstill(clock);
  const dropped = new Map<Incarnation, SinkProgress['dropped']>();
  for (;;) {
    const late: Late[] = [];
    for (const { incarnation, ends } of asked) {
      const progress = await parts.definitions.progress(incarnation, options);
      const tables = progress?.dropped ?? dropped.get(incarnation);
      dropped.set(incarnation, tables);
      const isGone = progress === undefined && tables === undefined && (await isErased(parts, key, options));
      if (isGone || tables?.includes(tableId) === true) throw givenUp();
      if (progress !== undefined && !isDelivered(progress, ends)) late.push({ progress, ends });
    }
    if (late.length === 0) return;
    const trouble = await findTrouble(parts, late, options);
    if (trouble === undefined) troubleSince = undefined;
    else {
      troubleSince ??= clock.monotonic();
      if (trouble.waitsMs > graceMs || clock.monotonic() - troubleSince > graceMs)
        throw new MillraceError('sink.notDelivered', trouble.message);
    }
    const missing = still.isSince(late, stillMs) ? await missingFor(parts, late, options) : [];
    const isOver = clock.monotonic() - startedAt > patienceMs;
    if (isOver || missing.length > 0) {
      const over = `not everything is delivered after ${patienceMs / 1000} seconds`;
      const begin = isOver ? over : `nothing has moved for ${stillMs / 1000} seconds`;
      const text = [`${begin}: ${await describeRest(parts, late, options)}`, ...missing].join('; ');
      throw new MillraceError('sink.notDelivered', text);
    }
    await clock.sleep(lookEveryMs, options);
  }
}

/** True when the source is deleted for good: what it had may be delivered, or not. */
async function isErased({ definitions }: Pick<Parts, 'definitions'>, key: SinkKey, options: Waiting): Promise<boolean> {
  return (await definitions.findSource(key, options))?.erased !== undefined;
}

function givenUp(): MillraceError {
  const message =
    'the source was deleted for good while the flush waited: what was not in the table by then is given up';
  return new MillraceError('sink.notDelivered', message);
}

interface Trouble {
  readonly message: string;
  /** Until somebody tries again. */
  readonly waitsMs: number;
}

async function findTrouble(
  parts: Pick<Parts, 'catalog' | 'clock'>,
  late: readonly Late[],
  options: Waiting,
): Promise<Trouble | undefined> {
  const statuses: SinkStatus[] = [];
  for (const { progress } of late)
    statuses.push(...(await readStatuses(parts, `${progressId(progress.incarnation)}/`, options)));
  // What is old is no reason: its process may be gone, and another one at work.
  const now = parts.clock.now();
  const told = statuses.filter((status) => !isOnlyLate(status) && !isOld(status, now));
  const parked = late.flatMap(({ progress, ends }) =>
    progress.parked.filter((slice) => slice.from + 1 < (ends.get(slice.partition) ?? 0)),
  );
  if (told.length === 0 && parked.length === 0) return undefined;
  const messages = [...told.map(describe), ...describeParked(parked)];
  const waits = told.map(({ nextTryAt }) => Date.parse(nextTryAt) - now);
  return { message: messages.join('; and '), waitsMs: Math.max(0, ...waits) };
}

function describe({ role, code, message, since, nextTryAt }: SinkStatus): string {
  return `${role} cannot go on since ${since}: ${message} (${code}); next try at ${nextTryAt}`;
}

async function describeRest(
  { sourceLog }: Pick<Parts, 'sourceLog'>,
  late: readonly Late[],
  options: Waiting,
): Promise<string> {
  const { inFlight, staged } = restOf(late);
  const rest = `${inFlight} events are not staged yet, ${staged} wait for their import`;
  let behind = 0;
  for (const { progress, ends } of late) {
    // The topic of a deleted one may be gone.
    if (progress.deleted) continue;
    const now = await endsIfKnown(sourceLog, progress.topics, options);
    if (!('unknown' in now)) behind += heldBack(progress, ends, now);
  }
  if (behind === 0) return rest;
  return `${rest}; ${behind} lie behind an open transaction of another producer, and can be read when it is committed or aborted`;
}

function describeParked(parked: SinkProgress['parked']): readonly string[] {
  const { damaged = [], misfits = [] } = Object.groupBy(parked, ({ damage }) =>
    damage === undefined ? 'misfits' : 'damaged',
  );
  const versions = [...new Set(misfits.map(({ mappingVersion }) => mappingVersion))].join(', ');
  const [first] = damaged;
  return [
    ...(misfits.length === 0
      ? []
      : [`${sizeOf(misfits)} are parked: the table does not fit mapping version ${versions}`]),
    ...(first === undefined ? [] : [`${sizeOf(damaged)} are parked: ${first.damage?.message} (${first.damage?.code})`]),
  ];
}

function sizeOf(slices: SinkProgress['parked']): string {
  const { rows, dead } = sumSlices(slices);
  return `${rows + dead} events in ${slices.length} slices`;
}
