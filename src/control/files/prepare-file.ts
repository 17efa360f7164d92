import type { StoredFile } from '../../core/files/stored-file.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { createDocument } from '../../documents/change-document.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { fileDocuments } from '../../documents/file-document.ts';
import { takeNumber } from '../../documents/take-number.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import type { Parts } from '../parts.ts';
import { randomText } from '../store/random-text.ts';

type PrepareFileParts = Pick<Parts, 'catalog' | 'clock' | 'random' | 'tasks'>;

export interface FileToPrepare {
  readonly name: string;
  readonly tags: readonly string[];
  readonly isPermanent: boolean;
  readonly contentType?: string | undefined;
  readonly announcedBytes?: number | undefined;
  readonly change: Change;
}

/** Makes a file that waits for its upload. `file.tooMany`; `file.tooLarge` for one that is announced with more bytes than it may have. */
export function prepareFile(
  parts: PrepareFileParts,
  { name, tags, isPermanent, contentType, announcedBytes, change }: FileToPrepare,
  options: Waiting,
): Promise<StoredFile> {
  const { catalog, random, tasks } = parts;
  if (announcedBytes !== undefined) checkSize(announcedBytes);
  // One at a time, or all of them would find room for one more.
  return tasks.serial.run('prepare file', () =>
    tasks.alone({ claims: [], change }, async () => {
      await requireRoom(catalog, options);
      await change.begin(undefined, options);
      const created = stampNow(parts, change.by);
      const until = new Date(Date.parse(created.at) + limits.fileAgeMs).toISOString();
      for (;;) {
        const taker = randomText(random, 16);
        const fileId = String(await takeNumber(catalog, { id: 'file', first: 1, taker }, options));
        const file: StoredFile = {
          fileId,
          name,
          tags: [...new Set(tags)],
          ...(contentType !== undefined && { contentType }),
          ...(announcedBytes !== undefined && { announcedBytes }),
          created,
          ...(isPermanent ? {} : { expiresAt: until }),
        };
        const place = { kind: fileDocuments, id: fileDocumentId(fileId), value: file };
        // After a restore from an older copy numbers come again.
        if (!(await createDocument(catalog, place, options))) continue;
        change.made({ kind: 'file', fileId });
        return file;
      }
    }),
  );
}

/** `file.tooLarge`. */
export function checkSize(bytes: number): void {
  if (bytes <= limits.fileBytes) return;
  const message = `a file has at most ${limits.fileBytes} bytes; split it, or compress it with gzip`;
  throw new MillraceError('file.tooLarge', message);
}

async function requireRoom(catalog: Parts['catalog'], options: Waiting): Promise<void> {
  const count = await catalog.count('file', '', options);
  if (count < limits.files) return;
  const message = `there are ${count} files, the maximum is ${limits.files}; delete those that nobody uses`;
  throw new MillraceError('file.tooMany', message);
}
