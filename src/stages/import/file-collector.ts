import type { Clock } from '../../core/clock.ts';
import { fileObjects, parseFileObject } from '../../core/files/file-object.ts';
import { isOver } from '../../core/files/stored-file.ts';
import { limits } from '../../core/limits.ts';
import { removeUnchanged } from '../../documents/change-document.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import { listReadable } from '../../documents/list-documents.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface FileCollectorOptions {
  readonly catalog: Catalog;
  readonly objects: ObjectStore;
  readonly ownership: Ownership;
  readonly clock: Clock;
}

/** Removes files whose time is over, and objects that no file names: of uploads that broke off, of files that were deleted. */
export class FileCollector {
  readonly #options: FileCollectorOptions;

  constructor(options: FileCollectorOptions) {
    this.#options = options;
  }

  /** One round; nothing of a store that is not this installation's. */
  async collect(options: Waiting): Promise<void> {
    if (!(await this.#options.ownership.isOurs('staging', options))) return;
    await this.#removeOver(options);
    await this.#removeUnnamed(options);
  }

  async #removeOver(options: Waiting): Promise<void> {
    const { catalog, objects, clock } = this.#options;
    const { documents } = await listReadable(catalog, { kind: fileDocuments }, options);
    for (const file of documents) {
      if (!isOver(file, clock.now()) || !fileDocuments.isWritable(file)) continue;
      const place = { kind: fileDocuments, id: fileDocumentId(file.fileId), value: file };
      // One that gets its content or a tag this moment waits for the next round.
      if (!(await removeUnchanged(catalog, place, options))) continue;
      if (file.content !== undefined) await objects.delete(file.content.object, options);
    }
  }

  /** Of an age at which no upload names one any more. What a document that cannot be read may name stays. */
  async #removeUnnamed(options: Waiting): Promise<void> {
    const { catalog, objects, clock } = this.#options;
    for await (const { name } of objects.list(fileObjects, options)) {
      const parsed = parseFileObject(name);
      if (parsed === undefined || clock.now() - parsed.stamp < limits.uploadLeaseMs) continue;
      const found = await catalog.get('file', fileDocumentId(parsed.fileId), options);
      const file = found && fileDocuments.tryParse(found.value);
      if (found !== undefined && (file === undefined || file.content?.object === name)) continue;
      await objects.delete(name, options);
    }
  }
}
