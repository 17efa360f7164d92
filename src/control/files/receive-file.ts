import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32 } from 'node:zlib';
import { crc32Checksum, type Checksum } from '../../core/checksum.ts';
import { fileObject } from '../../core/files/file-object.ts';
import { isOver, type StoredFile } from '../../core/files/stored-file.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';
import { hasRoom } from './has-room.ts';
import { paced } from './paced.ts';
import { checkSize } from './prepare-file.ts';
import { fileAt, noFile } from './stored-files.ts';

type ReceiveFileParts = Pick<
  Parts,
  'catalog' | 'clock' | 'localFolder' | 'objects' | 'ownership' | 'random' | 'seat' | 'tasks' | 'uploads'
>;

export interface Upload {
  readonly fileId: string;
  /** Of a sender who may be slow, or go away. */
  readonly content: Readable;
  readonly change: Change;
}

/** Bytes between two looks at the disk. */
const lookBytes = 16 * 1024 ** 2;

/**
 * Takes the bytes of a file that waits for them. They pass through a local file, with flat memory, and the document names them once all of
 * them are stored: an upload that breaks off leaves nothing that anybody sees. `file.notFound`, `file.uploaded`, `file.tooLarge`,
 * `file.otherSize`, `file.tooSlow`, `file.noSpace`, `file.busy`.
 */
export async function receiveFile(
  parts: ReceiveFileParts,
  { fileId, content, change }: Upload,
  { signal }: Waiting,
): Promise<StoredFile> {
  const { clock, localFolder, objects, random, tasks, uploads } = parts;
  const file = await waitingFile(parts, fileId, { signal });
  using _ = uploads.enter();
  const unique = randomText(random, 20);
  const folder = join(localFolder, 'uploads');
  await mkdir(folder, { recursive: true });
  const path = join(folder, unique);
  try {
    const { bytes, checksum } = await write(paced(content, { clock }), { path, folder, file, signal });
    return await tasks.alone({ claims: [{ key: `file ${fileId}`, mode: 'exclusive' }], change }, async () => {
      await waitingFile(parts, fileId, { signal });
      await parts.ownership.assertOurs('staging', { signal });
      await change.begin({ kind: 'file', fileId }, { signal });
      await parts.seat.assertHeld({ signal });
      const stamp = clock.now();
      const object = fileObject({ fileId, stamp, unique });
      await objects.put(object, { kind: 'file', path }, { signal });
      // The clean-up may take an object for one that nobody will name.
      if (clock.now() - stamp > limits.uploadLeaseMs / 2) throw outrun();
      const at = new Date(clock.now()).toISOString();
      return await named(parts, { fileId, content: { object, bytes, checksum, at } }, { signal });
    });
  } finally {
    await rm(path, { force: true });
  }
}

/** The file, if it still waits for its upload. */
async function waitingFile(
  parts: Pick<Parts, 'catalog' | 'clock'>,
  fileId: string,
  options: Waiting,
): Promise<StoredFile> {
  const file = await fileAt(parts, fileId, options);
  if (file.content === undefined) return file;
  throw new MillraceError('file.uploaded', `the file ${fileId} has its content already; prepare another one`);
}

async function named(
  { catalog, clock, objects }: ReceiveFileParts,
  { fileId, content }: Required<Pick<StoredFile, 'fileId' | 'content'>>,
  options: Waiting,
): Promise<StoredFile> {
  const change = (before: StoredFile | undefined): StoredFile | undefined =>
    before === undefined || before.content !== undefined || isOver(before, clock.now())
      ? undefined
      : { ...before, content };
  const place = { kind: fileDocuments, id: fileDocumentId(fileId), change };
  const after = (await changeDocument(catalog, place, options))?.value;
  if (after?.content?.object === content.object) return after;
  await objects.delete(content.object, options);
  throw noFile(fileId);
}

interface Place extends Waiting {
  readonly path: string;
  readonly folder: string;
  readonly file: StoredFile;
}

async function write(
  content: Readable,
  { path, folder, file, signal }: Place,
): Promise<{ readonly bytes: number; readonly checksum: Checksum }> {
  let [bytes, crc, nextLook] = [0, 0, 0];
  const look = async (chunk: Buffer): Promise<void> => {
    bytes += chunk.length;
    checkSize(bytes);
    if (file.announcedBytes !== undefined && bytes > file.announcedBytes) throw otherSize(file, 'more');
    crc = crc32(chunk, crc);
    if (bytes < nextLook) return;
    nextLook = bytes + lookBytes;
    if (!(await hasRoom(folder, lookBytes))) throw noSpace();
  };
  const counted = async function* counted(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      await look(chunk);
      yield chunk;
    }
  };
  try {
    await pipeline(content, counted, createWriteStream(path, { flags: 'wx' }), { signal });
  } catch (thrown) {
    throw brokenOff(thrown, signal);
  }
  if (file.announcedBytes !== undefined && bytes !== file.announcedBytes) throw otherSize(file, String(bytes));
  return { bytes, checksum: crc32Checksum(crc) };
}

function brokenOff(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted || thrown instanceof MillraceError) return thrown;
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT') return noSpace();
  const isOfSender = code === 'ECONNRESET' || code === 'ERR_STREAM_PREMATURE_CLOSE' || code === 'ABORT_ERR';
  if (!isOfSender) return thrown;
  return new MillraceError('file.brokenOff', 'the upload ended before it was complete; nothing of it is kept', {
    cause: thrown,
  });
}

function otherSize({ announcedBytes }: StoredFile, found: string): MillraceError {
  const message = `the file was announced with ${announcedBytes} bytes, and ${found} came; nothing of it is kept`;
  return new MillraceError('file.otherSize', message);
}

function noSpace(): MillraceError {
  return new MillraceError('file.noSpace', 'the disk that takes uploads is full; nothing of it is kept');
}

function outrun(): MillraceError {
  return new MillraceError('file.brokenOff', 'the upload took too long to be stored; prepare another file');
}
