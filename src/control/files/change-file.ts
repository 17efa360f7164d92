import type { StoredFile } from '../../core/files/stored-file.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { fileAt, noFile } from './stored-files.ts';

type ChangeFileParts = Pick<Parts, 'catalog' | 'clock' | 'objects' | 'ownership' | 'tasks'>;

export interface FileChange {
  readonly fileId: string;
  readonly change: Change;
}

/**
 * Deletes a file. The document goes first, so that nobody is told of bytes that are gone; those go at once, or with the clean-up.
 * `file.notFound`.
 */
export function deleteFile(parts: ChangeFileParts, { fileId, change }: FileChange, options: Waiting): Promise<void> {
  const { catalog, objects, ownership } = parts;
  return alone(parts, { fileId, change }, async () => {
    const { content } = await fileAt(parts, fileId, options);
    await ownership.assertOurs('staging', options);
    await change.begin({ kind: 'file', fileId }, options);
    await removeDocument(catalog, { collection: 'file', id: fileDocumentId(fileId) }, options);
    // What stays is found by the clean-up.
    if (content !== undefined) await objects.delete(content.object, options).catch(() => undefined);
  });
}

export interface TagChange extends FileChange {
  readonly tag: string;
}

/** Gives a file a tag; does nothing when it has it. `file.notFound`, `file.tooManyTags`. */
export function addTag(parts: ChangeFileParts, { tag, ...wanted }: TagChange, options: Waiting): Promise<StoredFile> {
  const next = (tags: readonly string[]): readonly string[] => {
    if (tags.includes(tag)) return tags;
    if (tags.length < limits.tagsPerFile) return [...tags, tag];
    const message = `the file ${wanted.fileId} has ${tags.length} tags, the maximum is ${limits.tagsPerFile}`;
    throw new MillraceError('file.tooManyTags', message);
  };
  return retag(parts, { ...wanted, next }, options);
}

/** Takes a tag from a file; does nothing when it has it not. `file.notFound`. */
export function removeTag(
  parts: ChangeFileParts,
  { tag, ...wanted }: TagChange,
  options: Waiting,
): Promise<StoredFile> {
  return retag(parts, { ...wanted, next: (tags) => tags.filter((one) => one !== tag) }, options);
}

interface Retagging extends FileChange {
  readonly next: (tags: readonly string[]) => readonly string[];
}

function retag(parts: ChangeFileParts, { fileId, change, next }: Retagging, options: Waiting): Promise<StoredFile> {
  return alone(parts, { fileId, change }, async () => {
    next((await fileAt(parts, fileId, options)).tags);
    await change.begin({ kind: 'file', fileId }, options);
    const place = { kind: fileDocuments, id: fileDocumentId(fileId) };
    const retagged = (before: StoredFile | undefined): StoredFile | undefined =>
      before && { ...before, tags: next(before.tags) };
    const after = await changeDocument(parts.catalog, { ...place, change: retagged }, options);
    if (after === undefined) throw noFile(fileId);
    return after.value;
  });
}

function alone<Result>(
  { tasks }: Pick<Parts, 'tasks'>,
  { fileId, change }: FileChange,
  work: () => Promise<Result>,
): Promise<Result> {
  return tasks.alone({ claims: [{ key: `file ${fileId}`, mode: 'exclusive' }], change }, work);
}
