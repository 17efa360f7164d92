import { merged } from '../../documents/merged.ts';
import type { AuditEntry, EndedAuditEntry, OpenAuditEntry } from '../../core/audit-entry.ts';
import type { Clock } from '../../core/clock.ts';
import { auditDocuments } from '../../documents/audit-document.ts';
import { auditId, auditNumberAt } from '../../documents/document-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { changeDocument, createDocument, removeDocument } from '../../documents/change-document.ts';
import type { Chores } from '../tasks/chores.ts';

export interface AuditTrailOptions {
  /** Refuses writes of a process that has lost the seat: what is not its to change any more is not begun. */
  readonly catalog: Catalog;
  /** For the end of what was begun, whoever changes things by then. */
  readonly ownCatalog: Catalog;
  readonly clock: Clock;
  readonly chores: Pick<Chores, 'add'>;
}

/** How long the end of an entry may hold up the answer to its request. */
const patienceMs = 5000;

/** The entries of changes that this process makes: each is written before its change, and completed after it. */
export class AuditTrail {
  readonly #options: AuditTrailOptions;
  readonly #open = new Set<string>();
  readonly #following = new Set<Promise<void>>();
  readonly #stopped = new AbortController();
  #last = 0;
  #begun = 0;

  constructor(options: AuditTrailOptions) {
    this.#options = options;
  }

  /** How many entries this process has begun. */
  get begun(): number {
    return this.#begun;
  }

  /** Writes the entry of a change that is about to be made. Rejects when that cannot be done: then the change must not be made. */
  async begin(draft: Omit<OpenAuditEntry, 'id' | 'at' | 'outcome'>, options: Waiting): Promise<OpenAuditEntry> {
    const { catalog, clock } = this.#options;
    for (;;) {
      const now = clock.now();
      const number = Math.max(this.#last + 1, auditNumberAt(now));
      this.#last = number;
      const entry: OpenAuditEntry = {
        id: String(number),
        at: new Date(now).toISOString(),
        ...draft,
        outcome: 'processing',
      };
      this.#open.add(entry.id);
      try {
        // Another process whose clock is ahead of ours may have taken the number.
        if (await createDocument(catalog, { kind: auditDocuments, id: idOf(entry), value: entry }, options)) {
          this.#begun += 1;
          return entry;
        }
      } catch (thrown) {
        this.#forget(entry);
        throw thrown;
      }
      this.#open.delete(entry.id);
    }
  }

  /**
   * Completes an entry by what `complete` finds; never rejects: while the catalog is away it is tried again later. One that an heir has
   * ended stays as it is.
   */
  async end(entry: OpenAuditEntry, complete: (options: Waiting) => Promise<EndedAuditEntry>): Promise<void> {
    await this.#finally(entry, async (options) => this.#replace(await complete(options), options));
  }

  /** Takes back the entry of a request that was refused: nothing was changed. Never rejects. */
  async withdraw(entry: OpenAuditEntry): Promise<void> {
    await this.#finally(entry, (options) =>
      removeDocument(this.#options.ownCatalog, { collection: 'audit', id: idOf(entry) }, options),
    );
  }

  /** True while this process is at the change. */
  isOpen({ id }: AuditEntry): boolean {
    return this.#open.has(id);
  }

  /** Runs beside the request what completes an entry later; the signal ends with the process. */
  follow(work: (options: Waiting) => Promise<void>): void {
    const following = work({ signal: this.#stopped.signal }).catch(() => undefined);
    this.#following.add(following);
    void following.finally(() => this.#following.delete(following));
  }

  /** Resolves when nothing that was open when it was called waits for its end. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#following);
  }

  /** Leaves everything as it is; who holds the seat next ends it. */
  stop(): void {
    this.#stopped.abort();
  }

  async #replace(entry: AuditEntry, options: Waiting): Promise<void> {
    const change = (found: AuditEntry | undefined): AuditEntry | undefined => {
      if (found?.outcome !== 'processing') return undefined;
      // When the entry ends without a definition, the object has not changed.
      const { before: _, after: __, ...kept } = { after: undefined, ...found };
      return merged(kept, entry);
    };
    await changeDocument(this.#options.ownCatalog, { kind: auditDocuments, id: idOf(entry), change }, options);
  }

  async #finally(entry: AuditEntry, write: (options: Waiting) => Promise<void>): Promise<void> {
    const signal = AbortSignal.any([this.#stopped.signal, AbortSignal.timeout(patienceMs)]);
    try {
      await write({ signal });
    } catch {
      const attempt = (options: Waiting): Promise<boolean> => write(options).then(() => true);
      this.#options.chores.add({ name: `audit entry ${entry.id}`, attempt });
    } finally {
      this.#open.delete(entry.id);
    }
  }

  /**
   * The answer may have been unclear: an entry that stands there after all belongs to a change that was never begun.
   */
  #forget(entry: AuditEntry): void {
    this.#open.delete(entry.id);
    const attempt = async (options: Waiting): Promise<boolean> => {
      await removeDocument(this.#options.ownCatalog, { collection: 'audit', id: idOf(entry) }, options);
      return true;
    };
    this.#options.chores.add({ name: `audit entry ${entry.id}`, attempt });
  }
}

function idOf({ branchId, id }: AuditEntry): string {
  return auditId(branchId, Number(id));
}
