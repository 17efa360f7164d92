import { merged } from '../../documents/merged.ts';
import { readDocument } from '../../documents/read-document.ts';
import { taskDocuments } from '../../documents/task-document.ts';
import type { AuditObject } from '../../core/audit-entry.ts';
import type { BranchId, SinkId, SourceId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Task, TaskBase, TaskOperation, TaskOutputs } from '../../core/task.ts';
import type { Clock } from '../../core/clock.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { taskEnded } from '../../telemetry/task-ended.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { taskError } from '../errors/told.ts';
import { sentence } from '../errors/sentence.ts';
import { changeDocument, putDocument, removeDocument } from '../../documents/change-document.ts';
import type { Seat } from '../seat/seat.ts';
import { randomText, type RandomBytes } from '../store/random-text.ts';
import { ObjectLocks, type LockClaim } from './object-locks.ts';
import { SerialQueue } from './serial-queue.ts';

interface TaskSubject {
  readonly branchId: BranchId;
  readonly sourceId: SourceId;
  readonly sinkId?: SinkId;
}

/** What the runner has to do with the change that somebody asked for. */
export interface RequestedChange {
  /** Called once an operation has its object to itself, before it changes anything; a rejection is the request's answer. */
  begin(object: AuditObject, options: Waiting & { readonly taskId: string }): Promise<void>;
  /** Called at the end, while the operation still has its object to itself. */
  look(options: Waiting): Promise<void>;
}

export interface TaskSpec {
  readonly operation: TaskOperation;
  /** Second part of the type: `api.<operation>.<object>`. */
  readonly object: 'source' | 'sink' | 'sourceVersion' | 'sinkVersion';
  readonly subject: TaskSubject;
  readonly change: RequestedChange;
  readonly claims: readonly LockClaim[];
  /** Answers the refusal of a second create while the first runs. */
  readonly alreadyExists?: () => MillraceError;
  /** Checks that belong to the request and need the lock; a rejection is the request's answer. */
  readonly admit?: (options: Waiting) => Promise<void>;
  /** What changes something inside the request; a rejection is the request's answer. */
  readonly prepare?: (options: Waiting) => Promise<void>;
  /** The work; its answer is the task's `result`. */
  readonly run: (options: Waiting) => Promise<string>;
  readonly outputs: TaskOutputs;
  /** Waits for others and may be cut when the process leaves. */
  readonly onlyWaits?: boolean;
}

/** A short change. */
export interface AloneSpec {
  readonly claims: readonly LockClaim[];
  /** Given when somebody asked for it; the work begins it. */
  readonly change?: Pick<RequestedChange, 'look'>;
}

export interface TaskRunnerOptions {
  /** For the records of tasks: a task that has ended says so, even if another process has the seat by then. */
  readonly catalog: Catalog;
  readonly seat: Pick<Seat, 'assertHeld'>;
  readonly clock: Clock;
  readonly random: RandomBytes;
  readonly telemetry: Telemetry;
  readonly owner: string;
}

/** So many tasks run at a time (D8): one for each sink of a large installation. */
const maxRunning = 1000;

/** How long what the audit trail keeps of an object may hold it up. */
const patienceMs = 2000;

/** Runs operations beside the requests that asked for them, and keeps their records. */
export class TaskRunner {
  /** Serialises what must not overlap, by key. */
  readonly serial = new SerialQueue();
  readonly #options: TaskRunnerOptions;
  readonly #locks = new ObjectLocks();
  readonly #running = new Map<string, { readonly task: Task; readonly ended: Promise<void> }>();
  /** Changes inside requests. */
  readonly #short = new Set<Promise<unknown>>();
  readonly #stopped = new AbortController();
  #finishing = new AbortController();
  readonly #leaving = new AbortController();

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  /** Admits the operation and answers its task, which runs from then on. `object.busy`, or what `admit` says. */
  async start(spec: TaskSpec, options: Waiting): Promise<Task> {
    if (this.#leaving.signal.aborted) throw stopping();
    if (this.#running.size >= maxRunning) throw tooMany();
    const release = this.#acquire(spec.claims, spec);
    try {
      await spec.admit?.(options);
      const task = this.#record(spec);
      await spec.change.begin(objectOf(spec.subject), { ...options, taskId: task.taskId });
      await spec.prepare?.(options);
      await putDocument(this.#options.catalog, { kind: taskDocuments, id: task.taskId, value: task }, options);
      await this.#assertHeld(task, options);
      const ended = this.#run(task, spec, release)
        .catch((thrown: unknown) =>
          this.#options.telemetry.log.error({ taskId: task.taskId, err: thrown }, 'task lost'),
        )
        .finally(() => this.#running.delete(task.taskId));
      this.#running.set(task.taskId, { task, ended });
      return task;
    } catch (thrown) {
      release();
      throw thrown;
    }
  }

  /** Runs a short change, inside a request or beside all, alone on its object. */
  async alone<Result>({ claims, change }: AloneSpec, work: () => Promise<Result>): Promise<Result> {
    const release = this.#acquire(claims, { operation: 'settings' });
    const running = change === undefined ? work() : this.#looking(change, work);
    this.#short.add(running);
    try {
      return await running;
    } finally {
      this.#short.delete(running);
      release();
    }
  }

  /** The record of a task; undefined when there is none (any more). */
  async find(taskId: string, options: Waiting): Promise<Task | undefined> {
    return (await readDocument(this.#options.catalog, { kind: taskDocuments, id: taskId }, options))?.value;
  }

  /** True while this process runs the task. */
  isRunning(taskId: string): boolean {
    return this.#running.has(taskId);
  }

  /** Resolves when this process does not run the task (any more). */
  async whenEnded(taskId: string): Promise<void> {
    await this.#running.get(taskId)?.ended;
  }

  /** Tasks of a type that this process runs now. */
  running(type: string): readonly Task[] {
    return [...this.#running.values()].map(({ task }) => task).filter((task) => task.type === type);
  }

  /** Refuses new tasks and waits for those that run; those that only wait for others are cut. */
  async drain(): Promise<void> {
    this.#leaving.abort();
    await Promise.allSettled([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Resolves when nothing runs that was running when it was called; what only waits for others is cut. */
  async finish(): Promise<void> {
    this.#finishing.abort();
    this.#finishing = new AbortController();
    await Promise.allSettled([...[...this.#running.values()].map(({ ended }) => ended), ...this.#short]);
  }

  /** Leaves everything as it is; the next start ends what was unfinished. */
  stop(): void {
    this.#leaving.abort();
    this.#stopped.abort();
  }

  /**
   * An heir ends the tasks that it finds after taking the seat. So a process that still holds the seat once the record
   * stands knows that its task will be seen.
   */
  async #assertHeld({ taskId }: Task, options: Waiting): Promise<void> {
    const { seat, catalog } = this.#options;
    try {
      await seat.assertHeld(options);
    } catch (thrown) {
      // Whoever holds the seat ends what is left of it.
      await removeDocument(catalog, { collection: 'task', id: taskId }, options).catch(() => undefined);
      throw thrown;
    }
  }

  #acquire(
    claims: readonly LockClaim[],
    { operation, alreadyExists }: { operation: TaskOperation | 'settings'; alreadyExists?: () => MillraceError },
  ): () => void {
    const lock = this.#locks.acquire(claims, operation);
    if (lock.kind === 'held') return () => lock.release();
    if (alreadyExists !== undefined && lock.operation === 'create' && lock.key === claims[0]?.key)
      throw alreadyExists();
    const message = `another operation (${lock.operation}) runs on the same object; wait until its task has finished`;
    throw new MillraceError('object.busy', message);
  }

  #record({ operation, object, subject }: TaskSpec): Task {
    const { clock, random, owner } = this.#options;
    const type = `api.${operation}.${object}`;
    const createdAt = new Date(clock.now()).toISOString();
    const key = [subject.branchId, subject.sourceId, ...(subject.sinkId === undefined ? [] : [subject.sinkId])].join(
      '/',
    );
    const taskId = `${type}/${key}/${createdAt}_${randomText(random, 5)}`;
    const base: TaskBase = { taskId, type, ...subject, createdAt, owner };
    return { ...base, status: 'processing' };
  }

  /** Who sees that a task has ended finds its object free. */
  async #run(task: Task, spec: TaskSpec, release: () => void): Promise<void> {
    const { clock, telemetry } = this.#options;
    const startedAt = clock.monotonic();
    const deadline = AbortSignal.timeout(limits.taskTimeoutMs);
    const leaving = spec.onlyWaits === true ? [this.#leaving.signal, this.#finishing.signal] : [];
    const signal = AbortSignal.any([deadline, this.#stopped.signal, ...leaving]);
    let end: { readonly result: string } | { readonly error: string };
    try {
      end = { result: await spec.run({ signal }) };
    } catch (thrown) {
      if (this.#stopped.signal.aborted) return;
      end = { error: this.#failureOf(thrown, { deadline, signal }) };
      telemetry.log.debug({ taskId: task.taskId, err: thrown }, 'task threw');
    } finally {
      await this.#look(spec.change);
      release();
    }
    const finished = {
      ...task,
      finishedAt: new Date(clock.now()).toISOString(),
      duration: Math.round(clock.monotonic() - startedAt),
      outputs: spec.outputs,
    };
    const ended: Task =
      'result' in end ? { ...finished, status: 'success', ...end } : { ...finished, status: 'error', ...end };
    taskEnded(telemetry, ended);
    await this.#write(ended);
  }

  #failureOf(thrown: unknown, { deadline, signal }: Waiting & { readonly deadline: AbortSignal }): string {
    if (deadline.aborted) return `The operation did not finish within ${limits.taskTimeoutMs / 1000} seconds.`;
    if (this.#leaving.signal.aborted) return 'The process is stopping.';
    if (signal.aborted) return 'The process that ran the task gives way to another one; try again.';
    return sentence(taskError(thrown));
  }

  async #looking<Result>(change: Pick<RequestedChange, 'look'>, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      await this.#look(change);
    }
  }

  /** A catalog that is away keeps no object: then the trail looks later. */
  async #look(change: Pick<RequestedChange, 'look'>): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(patienceMs)]);
    await change.look({ signal }).catch(() => undefined);
  }

  /** Writes the end of a task, again and again while the catalog is away. What an heir has ended stays as it is. */
  async #write(task: Task): Promise<void> {
    const { catalog, clock } = this.#options;
    const { signal } = this.#stopped;
    const change = (before: Task | undefined) => (before?.status === 'processing' ? merged(before, task) : undefined);
    while (!signal.aborted) {
      try {
        await changeDocument(catalog, { kind: taskDocuments, id: task.taskId, change }, { signal });
        return;
      } catch (thrown) {
        if (!MillraceError.fromUnknown(thrown).retryable) throw thrown;
        await clock.sleep(1000, { signal }).catch(() => undefined);
      }
    }
  }
}

function objectOf({ branchId, sourceId, sinkId }: TaskSubject): AuditObject {
  const source = { branchId, sourceId };
  return sinkId === undefined ? { kind: 'source', ...source } : { kind: 'sink', ...source, sinkId };
}

function tooMany(): MillraceError {
  const message = `${maxRunning} tasks are running, no more can be started; try again later`;
  return new MillraceError('task.tooMany', message);
}

function stopping(): MillraceError {
  return new MillraceError('process.stopping', 'the process is stopping');
}
