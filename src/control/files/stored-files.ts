import type { Readable } from 'node:stream';
import { isOver, type FileContent, type StoredFile } from '../../core/files/stored-file.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

type StoredFilesParts = Pick<Parts, 'catalog' | 'clock'>;

export interface FilesQuery {
  /** All of them. */
  readonly tags: readonly string[];
  /** A part of the name. */
  readonly name?: string | undefined;
  /** Of the token that made it; absent: of all. */
  readonly creator?: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

/** The file of an id, uploaded or not; `file.notFound` for one whose time is over, too. */
export async function fileAt(
  { catalog, clock }: StoredFilesParts,
  fileId: string,
  options: Waiting,
): Promise<StoredFile> {
  if (!/^[1-9]\d{0,14}$/.test(fileId)) throw noFile(fileId);
  const found = (await readDocument(catalog, { kind: fileDocuments, id: fileDocumentId(fileId) }, options))?.value;
  if (found === undefined || isOver(found, clock.now())) throw noFile(fileId);
  return found;
}

/** Files with their content, the newest first. */
export async function listFiles(
  { catalog, clock }: StoredFilesParts,
  { tags, name, creator, offset, limit }: FilesQuery,
  options: Waiting,
): Promise<readonly StoredFile[]> {
  const now = clock.now();
  const fits = (file: StoredFile): boolean =>
    file.content !== undefined &&
    !isOver(file, now) &&
    tags.every((tag) => file.tags.includes(tag)) &&
    (name === undefined || file.name.toLowerCase().includes(name.toLowerCase())) &&
    (creator === undefined || file.created.by.tokenId === creator);
  const files = (await listDocuments(catalog, { kind: fileDocuments }, options)).filter(fits);
  return files.toReversed().slice(offset, offset + limit);
}

/** The content of a file; `file.notUploaded`. */
export function contentOf({ fileId, content }: StoredFile): FileContent {
  if (content !== undefined) return content;
  throw new MillraceError('file.notUploaded', `the file ${fileId} has not been uploaded yet`);
}

/** The bytes of a file; `file.notFound` when it has been deleted this moment. */
export async function openFile(
  { objects }: Pick<Parts, 'objects'>,
  file: StoredFile,
  options: Waiting,
): Promise<Readable> {
  try {
    return await objects.get(contentOf(file).object, options);
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'objects.notFound') throw noFile(file.fileId);
    throw thrown;
  }
}

export function noFile(fileId: string): MillraceError {
  return new MillraceError('file.notFound', `the file "${fileId.slice(0, 50)}" was not found in the project`);
}
