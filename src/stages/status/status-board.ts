import type { Clock } from '../../core/clock.ts';
import { merged } from '../../documents/merged.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { isUnusable } from '../../documents/unusable.ts';
import { sinkStatusDocuments } from '../../documents/sink-status-document.ts';
import { isStatusOf, statusId } from '../../documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import type { Partition } from '../../core/offset.ts';
import { isOverdue, isStale, type SinkStatus } from '../../core/sink-status.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { StatusObserver } from '../../telemetry/observe-status.ts';

/** What failed: a sink, or only one partition of it. */
export interface FailingPlace {
  readonly incarnation: Incarnation;
  readonly partition?: Partition;
}

export interface StatusBoardOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly role: SinkStatus['role'];
  /** Name of this process or thread; a successor has the same name or another one. */
  readonly member: string;
  readonly observer: StatusObserver;
}

/** Failures of a sink by partition, the oldest first. */
type Failures = Map<Partition | undefined, SinkStatus>;

/**
 * Says in the catalog which sinks a role cannot serve, why, since when, and when it tries again (D6). A partition that goes
 * on does not hide another one that does not. Writing it never holds up the role and never fails it: what could not be
 * written waits, one status a sink, until `writeAgain` is called.
 */
export class StatusBoard {
  readonly #options: StatusBoardOptions;
  readonly #failing = new Map<Incarnation, Failures>();
  /** What the catalog does not say yet; undefined: that there is nothing to say. */
  readonly #unwritten = new Map<Incarnation, SinkStatus | undefined>();
  #writing: Promise<void> | undefined;
  #isClosed = false;

  constructor(options: StatusBoardOptions) {
    this.#options = options;
  }

  /** Notes a failure; the next try is in `nextTryMs`. Answers how many tries have failed in a row. */
  report({ incarnation, partition }: FailingPlace, error: MillraceError, nextTryMs: number): number {
    const { clock, role } = this.#options;
    const now = clock.now();
    const failures: Failures = this.#failing.get(incarnation) ?? new Map();
    const before = failures.get(partition);
    const status: SinkStatus = {
      incarnation,
      role,
      code: error.code,
      message: error.message,
      since: before?.since ?? new Date(now).toISOString(),
      lastTryAt: new Date(now).toISOString(),
      nextTryAt: new Date(now + nextTryMs).toISOString(),
      attempts: (before?.attempts ?? 0) + 1,
    };
    this.#failing.set(incarnation, failures.set(partition, status));
    if (this.#foremost(failures) === status) this.#tell(status);
    else if (before === undefined) this.#enqueue(incarnation);
    return status.attempts;
  }

  /** Notes a failure; answers when the next try is, on the monotonic clock. */
  failed(at: FailingPlace, error: MillraceError, retry: RetryPacing): number {
    const pauseMs = retry.pauseMs(this.attempts(at) + 1);
    this.report(at, error, pauseMs);
    return this.#options.clock.monotonic() + pauseMs;
  }

  /** How many tries have failed in a row. */
  attempts({ incarnation, partition }: FailingPlace): number {
    return this.#failing.get(incarnation)?.get(partition)?.attempts ?? 0;
  }

  /** Notes that the sink is served again, or is no longer this role's business; does nothing when it never failed. */
  clear({ incarnation, partition }: FailingPlace): void {
    const failures = this.#failing.get(incarnation);
    const status = failures?.get(partition);
    if (failures === undefined || status === undefined) return;
    const wasTold = this.#foremost(failures) === status;
    failures.delete(partition);
    const other = this.#foremost(failures);
    if (other !== undefined) {
      if (wasTold) this.#tell(other);
      else this.#enqueue(incarnation);
      return;
    }
    this.#failing.delete(incarnation);
    this.#options.observer.sinkHealed(status);
    this.#enqueue(incarnation);
  }

  #tell(status: SinkStatus): void {
    this.#options.observer.sinkFailed(status);
    this.#enqueue(status.incarnation);
  }

  /**
   * Removes what an earlier life of this member left behind, or a member that is gone; call it once before the first
   * report. What another release reports in its own way is left to that release.
   */
  async sweep({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { catalog, role, member } = this.#options;
    for (const { id, revision, value } of await catalog.list({ collection: 'sink-status', prefix: '' }, { signal }))
      if (isStatusOf(id, role, member) || this.#isLeft(value))
        await catalog.remove('sink-status', id, revision, { signal });
  }

  #isLeft(value: unknown): boolean {
    const status = sinkStatusDocuments.tryParse(value);
    return status !== undefined && isStale(status, this.#options.clock.now());
  }

  /** Tries again to write what could not be written; to be called now and then. Costs nothing when there is nothing to write. */
  writeAgain(): void {
    if (this.#unwritten.size > 0) this.#startWriting();
  }

  /** Resolves when no write is under way. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  /** Writes nothing any more, so that nothing of this life appears in the next one. Resolves when no write is under way. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#writing;
  }

  #enqueue(incarnation: Incarnation): void {
    const failures = this.#failing.get(incarnation);
    this.#unwritten.set(incarnation, failures && this.#statusOf(failures));
    this.#startWriting();
  }

  #startWriting(): void {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Writes one after the other until all is written or one cannot be written. Never rejects. */
  async #writeAll(): Promise<void> {
    for (const [incarnation, status] of this.#unwritten) {
      if (this.#isClosed) return;
      this.#unwritten.delete(incarnation);
      try {
        await this.#write(incarnation, status);
      } catch (thrown) {
        // What stands there is another release's to tell; all others are not.
        if (isUnusable(thrown)) continue;
        if (!this.#unwritten.has(incarnation)) this.#unwritten.set(incarnation, status);
        return;
      }
    }
  }

  async #write(incarnation: Incarnation, status: SinkStatus | undefined): Promise<void> {
    const { catalog, role, member } = this.#options;
    const signal = AbortSignal.timeout(10_000);
    const id = statusId(incarnation, role, member);
    if (status === undefined) return removeDocument(catalog, { collection: 'sink-status', id }, { signal });
    const change = (before?: SinkStatus): SinkStatus => {
      const { partitions: _, ...kept } = before ?? status;
      return merged(kept, status);
    };
    await changeDocument(catalog, { kind: sinkStatusDocuments, id, change }, { signal });
  }

  /** What the catalog says of a sink: the foremost failure, with the partitions that fail where the sink does not as a whole. */
  #statusOf(failures: Failures): SinkStatus | undefined {
    const status = this.#foremost(failures);
    const partitions = [...this.#heard(failures).keys()].filter((partition) => partition !== undefined);
    return status === undefined || failures.get(undefined) === status ? status : { ...status, partitions };
  }

  /** The failure that is told: one of the whole sink, or else the oldest. */
  #foremost(failures: Failures): SinkStatus | undefined {
    const heard = this.#heard(failures);
    return heard.get(undefined) ?? heard.values().next().value;
  }

  /**
   * The failures that are still tried: one that is not would go stale, and the others with it. All of them when none is
   * still tried.
   */
  #heard(failures: Failures): Failures {
    const now = this.#options.clock.now();
    const heard = new Map([...failures].filter(([, status]) => !isOverdue(status, now)));
    return heard.size === 0 ? failures : heard;
  }
}
