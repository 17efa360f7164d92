import type { Clock } from '../../core/clock.ts';
import { statusId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import type { SinkStatus } from '../../core/sink-status.ts';
import type { Catalog } from '../../ports/catalog.ts';

export interface StatusObserver {
  /** A sink stopped (`attempts` is 1), or still cannot go on. */
  sinkFailed(status: SinkStatus): void;
  /** `status` is what was reported last. */
  sinkHealed(status: SinkStatus): void;
}

export interface StatusBoardOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly role: SinkStatus['role'];
  readonly observer: StatusObserver;
}

/**
 * Says in the catalog which sinks a role cannot serve, why, since when, and when it tries again (D6). Writing it never
 * holds up the role and never fails it: what could not be written is written with the next report.
 */
export class StatusBoard {
  readonly #options: StatusBoardOptions;
  readonly #failing = new Map<Incarnation, SinkStatus>();
  #writing: Promise<void> = Promise.resolve();

  constructor(options: StatusBoardOptions) {
    this.#options = options;
  }

  /** Notes a failure; the next try is in `nextTryMs`. Answers how many tries have failed in a row. */
  report(incarnation: Incarnation, error: MillraceError, nextTryMs: number): number {
    const { clock, role, observer } = this.#options;
    const now = clock.now();
    const before = this.#failing.get(incarnation);
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
    this.#failing.set(incarnation, status);
    observer.sinkFailed(status);
    this.#enqueue(incarnation, status);
    return status.attempts;
  }

  /** How many tries have failed in a row. */
  attempts(incarnation: Incarnation): number {
    return this.#failing.get(incarnation)?.attempts ?? 0;
  }

  /** Notes that the sink is served again; does nothing when it never failed. */
  clear(incarnation: Incarnation): void {
    const status = this.#failing.get(incarnation);
    if (status === undefined) return;
    this.#failing.delete(incarnation);
    this.#options.observer.sinkHealed(status);
    this.#enqueue(incarnation, undefined);
  }

  /** Removes what an earlier life of this role left behind; call once before the first report. */
  async sweep({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { catalog, role } = this.#options;
    for (const { id, revision } of await catalog.list({ collection: 'sink-status', prefix: '' }, { signal })) {
      if (id.endsWith(`/${role}`)) await catalog.remove('sink-status', id, revision, { signal });
    }
  }

  /** Resolves when all notes are written or given up. */
  async settled(): Promise<void> {
    await this.#writing;
  }

  #enqueue(incarnation: Incarnation, status: SinkStatus | undefined): void {
    this.#writing = this.#writing.then(() => this.#write(incarnation, status)).catch(() => undefined);
  }

  async #write(incarnation: Incarnation, status: SinkStatus | undefined): Promise<void> {
    const { catalog, role } = this.#options;
    const signal = AbortSignal.timeout(10_000);
    const id = statusId(incarnation, role);
    for (let tries = 0; tries < 5; tries += 1) {
      const found = await catalog.get('sink-status', id, { signal });
      if (status === undefined) {
        if (found === undefined || (await catalog.remove('sink-status', id, found.revision, { signal }))) return;
        continue;
      }
      const write = { collection: 'sink-status', id, expected: found?.revision, value: status } as const;
      if ((await catalog.compareAndSet(write, { signal })).kind === 'written') return;
    }
  }
}
