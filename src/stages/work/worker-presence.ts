import type { Clock } from '../../core/clock.ts';
import { workerMissedMs, workerSaidEveryMs, type WorkerSaid } from '../../core/workforce.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import { workerDocuments, workerPrefix } from '../../documents/worker-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface WorkerPresenceOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Name of this process, for people. */
  readonly member: string;
}

const writeMs = 10_000;

/**
 * Says in the catalog that this process runs jobs, for those who take them elsewhere. It stays said when the process leaves: for an hour a
 * successor is expected.
 */
export class WorkerPresence {
  readonly #options: WorkerPresenceOptions;
  #saidAt: number | undefined;
  #saying: Promise<void> | undefined;

  constructor(options: WorkerPresenceOptions) {
    this.#options = options;
  }

  /** To be called by whoever takes jobs up, again and again. Says it when it is time to; never waits, never throws. */
  here({ signal }: Waiting): void {
    const now = this.#options.clock.monotonic();
    if (this.#saying !== undefined || (this.#saidAt !== undefined && now - this.#saidAt < workerSaidEveryMs)) return;
    this.#saying = this.#say(now, AbortSignal.any([signal, AbortSignal.timeout(writeMs)]))
      // It is tried again in a moment.
      .catch(() => undefined)
      .finally(() => {
        this.#saying = undefined;
      });
  }

  /** Resolves when nothing of it is under way. */
  async settled(): Promise<void> {
    await this.#saying;
  }

  async #say(monotonic: number, signal: AbortSignal): Promise<void> {
    const isFirst = this.#saidAt === undefined;
    const { catalog, clock, member } = this.#options;
    const said: WorkerSaid = { process: member, at: new Date(clock.now()).toISOString() };
    const change = (before: WorkerSaid | undefined): WorkerSaid => ({ ...before, ...said });
    await changeDocument(catalog, { kind: workerDocuments, id: `${workerPrefix}${member}`, change }, { signal });
    this.#saidAt = monotonic;
    if (isFirst) await this.#sweep({ signal });
  }

  /** Names of processes may be new with each start. */
  async #sweep(waiting: Waiting): Promise<void> {
    const { catalog, clock } = this.#options;
    for (const { process, at } of await readWorkers(catalog, waiting))
      if (Date.parse(at) < clock.now() - 2 * workerMissedMs)
        await removeDocument(catalog, { collection: 'meta', id: `${workerPrefix}${process}` }, waiting);
  }
}
