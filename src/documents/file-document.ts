import { z } from 'zod';
import type { FileContent, StoredFile } from '../core/files/stored-file.ts';
import { DocumentKind } from './document-kind.ts';
import { checksum, count, name, stamp, text, type FieldsOf } from './fields.ts';

const content: z.ZodType<FileContent> = z.looseObject({
  object: name,
  bytes: count,
  checksum,
  at: name,
} satisfies FieldsOf<FileContent>);

const schema: z.ZodType<StoredFile> = z.looseObject({
  fileId: name,
  name: text,
  tags: z.array(text),
  contentType: text.exactOptional(),
  announcedBytes: count.exactOptional(),
  created: stamp,
  expiresAt: name.exactOptional(),
  content: content.exactOptional(),
} satisfies FieldsOf<StoredFile>);

/** Documents of collection `file`. */
export const fileDocuments = new DocumentKind<StoredFile>({ collection: 'file', schema });
