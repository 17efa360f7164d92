import { importId, progressId } from '../../documents/document-id.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { isUnusable } from '../../documents/unusable.ts';
import { importNoteDocuments } from '../../documents/import-note-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { ImportNote } from '../../core/import-note.ts';
import { limits } from '../../core/limits.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

const writeMs = 10_000;
const closeMs = 2000;
/**
 * How many documents one note may remove. A note adds only one, so a history that has grown too long comes down again.
 */
const removedAtOnce = 8;

/**
 * Writes down how imports ended, at most `limits.importHistory` for an incarnation. It never holds up an import and never
 * fails one: notes wait in memory, one after the other is written, and what could not be written is tried again by
 * `writeAgain`. A kill loses what waits. An import has one note, however often and by whomever it is noted.
 */
export class ImportHistory {
  readonly #catalog: Catalog;
  /** By the document's id. */
  readonly #waiting = new Map<string, ImportNote>();
  #writing: Promise<void> | undefined;
  #closing: AbortSignal | undefined;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** Notes an import that has a verdict. */
  note(note: ImportNote): void {
    this.#waiting.set(importId(note.incarnation, note.number), note);
    const [oldest] = this.#waiting.keys();
    if (this.#waiting.size > limits.importHistory && oldest !== undefined) this.#waiting.delete(oldest);
    this.writeAgain();
  }

  /** Writes what could not be written; to be called now and then. Costs nothing when there is nothing to write. */
  writeAgain(): void {
    if (this.#waiting.size === 0 || this.#closing !== undefined) return;
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Forgets the notes that wait for an incarnation that goes. Resolves when nothing of it is being written. */
  async forget(incarnation: Incarnation): Promise<void> {
    for (const [id, note] of this.#waiting) if (note.incarnation === incarnation) this.#waiting.delete(id);
    await this.#writing;
  }

  /** Writes what waits, if the catalog takes it soon, and nothing after that. */
  async close(): Promise<void> {
    this.writeAgain();
    this.#closing ??= AbortSignal.timeout(closeMs);
    const ended = Promise.withResolvers<void>();
    this.#closing.addEventListener('abort', () => ended.resolve());
    await Promise.race([this.#writing, ended.promise]);
  }

  /** Writes until nothing waits or one cannot be written. Never rejects. */
  async #writeAll(): Promise<void> {
    for (const [id, note] of this.#waiting) {
      if (this.#closing?.aborted === true) return;
      this.#waiting.delete(id);
      try {
        await this.#write(id, note, { signal: AbortSignal.timeout(writeMs) });
      } catch (thrown) {
        // What stands there is another release's to tell; all others are not.
        if (isUnusable(thrown)) continue;
        if (!this.#waiting.has(id)) this.#waiting.set(id, note);
        return;
      }
    }
  }

  async #write(id: string, note: ImportNote, options: Waiting): Promise<void> {
    await this.#put(id, note, options);
    await this.#removeOld(note, options);
    // An incarnation that was purged meanwhile leaves nothing behind: whoever purged it may not have seen the note.
    const progress = await this.#catalog.get('progress', progressId(note.incarnation), options);
    if (progress !== undefined) return;
    await removeDocument(this.#catalog, { collection: 'import-history', id }, options);
  }

  /** Leaves a note that the import has already; one of another attempt, as after a restore of the tables, makes way. */
  async #put(id: string, note: ImportNote, options: Waiting): Promise<void> {
    const change = (before?: ImportNote): ImportNote | undefined => (before?.id === note.id ? undefined : note);
    await changeDocument(this.#catalog, { kind: importNoteDocuments, id, change }, options);
  }

  async #removeOld({ incarnation, number }: ImportNote, options: Waiting): Promise<void> {
    if (number <= limits.importHistory) return;
    const prefix = `${progressId(incarnation)}/`;
    const last = importId(incarnation, number - limits.importHistory);
    const query = { collection: 'import-history', prefix, limit: removedAtOnce } as const;
    for (const { id, revision } of await this.#catalog.list(query, options))
      if (id <= last) await this.#catalog.remove('import-history', id, revision, options);
  }
}
