import type { Clock } from '../../core/clock.ts';
import { lifeCertainMs, lifeKeptMs, lifeSaidEveryMs, type LifeSign } from '../../core/jobs/life-sign.ts';
import { putDocument, removeDocument } from '../../documents/change-document.ts';
import { lifeSignDocuments, lifeSignPrefix } from '../../documents/life-sign-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface OwnLifeOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** The life that it speaks of. */
  readonly owner: string;
}

const writeMs = 4000;
const retryMs = 500;

/**
 * Says in the catalog that this life lasts, so that nobody takes over the jobs that it runs. Whoever runs one asks whether that was heard
 * lately: a process that stood still, or whose catalog was away, may have lost them.
 */
export class OwnLife {
  readonly #options: OwnLifeOptions;
  #isSwept = false;
  #isAtIt = false;
  /** When the last sign was begun that was written, monotonic. */
  #saidAt = Number.NEGATIVE_INFINITY;
  #era = 0;
  /** The last try was written. */
  #isHeard = false;
  #saying: Promise<void> | undefined;

  constructor(options: OwnLifeOptions) {
    this.#options = options;
  }

  /** False: others may have taken this life for ended. */
  get isCertain(): boolean {
    return this.#options.clock.monotonic() - this.#saidAt < lifeCertainMs;
  }

  /**
   * Another number when it was not certain for a time and is again: whoever looked in an earlier era which jobs are still its own
   * must look again, since others may have taken them meanwhile.
   */
  get era(): number {
    return this.#era;
  }

  /** Says it for as long as `lasts`, and tries again soon while the catalog is away. Once more does nothing. Never rejects. */
  async sayWhile(lasts: () => boolean, waiting: Waiting): Promise<void> {
    if (this.#isAtIt) return;
    this.#isAtIt = true;
    while (lasts() && !waiting.signal.aborted) {
      await this.#say(waiting);
      await this.#pause(this.#isHeard ? lifeSaidEveryMs : retryMs, waiting);
    }
    this.#isAtIt = false;
  }

  /** Resolves when it is certain, as soon as the catalog takes it; rejects with the signal's reason alone. */
  async certain(waiting: Waiting): Promise<void> {
    while (!this.isCertain) {
      await this.#say(waiting);
      if (!this.isCertain) await this.#pause(retryMs, waiting);
      waiting.signal.throwIfAborted();
    }
  }

  /** One at a time, whoever asks. Never rejects. */
  #say({ signal }: Waiting): Promise<void> {
    this.#saying ??= this.#write(AbortSignal.any([signal, AbortSignal.timeout(writeMs)])).finally(() => {
      this.#saying = undefined;
    });
    return this.#saying;
  }

  async #write(signal: AbortSignal): Promise<void> {
    const { catalog, clock, owner } = this.#options;
    const began = clock.monotonic();
    const value: LifeSign = { owner, at: new Date(clock.now()).toISOString() };
    try {
      await putDocument(catalog, { kind: lifeSignDocuments, id: lifeSignPrefix + owner, value }, { signal });
      if (began - this.#saidAt >= lifeCertainMs) this.#era += 1;
      this.#saidAt = began;
      this.#isHeard = true;
      if (!this.#isSwept) await this.#sweep({ signal });
      this.#isSwept = true;
    } catch {
      // It is tried again in a moment.
      this.#isHeard = false;
    }
  }

  /** Each start has a life of its own. */
  async #sweep(waiting: Waiting): Promise<void> {
    const { catalog, clock } = this.#options;
    const { documents } = await listReadable(catalog, { kind: lifeSignDocuments, prefix: lifeSignPrefix }, waiting);
    for (const { owner, at } of documents)
      if (Date.parse(at) < clock.now() - lifeKeptMs)
        await removeDocument(catalog, { collection: 'meta', id: lifeSignPrefix + owner }, waiting);
  }

  async #pause(ms: number, waiting: Waiting): Promise<void> {
    await this.#options.clock.sleep(ms, waiting).catch(() => undefined);
  }
}
