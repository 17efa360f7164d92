import { z } from 'zod';
import { uploadUntil, type StoredFile } from '../../core/files/stored-file.ts';
import type { Addresses } from '../addresses.ts';
import { offsetTime } from './configuration-view.ts';
import { shown } from './shown.ts';

const time = z.iso.datetime();

export const storedFileSchema = z
  .object({
    id: z.int(),
    uri: z.string(),
    name: z.string(),
    created: z.string().meta({ example: '2026-11-21T18:00:00+0000' }),
    creatorToken: z.object({ id: z.int(), description: z.string() }),
    tags: z.array(z.string()),
    contentType: z.string().optional(),
    sizeBytes: z.int().optional().meta({ description: 'Of its content, or as it was announced.' }),
    isPermanent: z.boolean(),
    expiresAt: time.optional().meta({ description: 'It is removed then; absent: it is permanent.' }),
    isUploaded: z.boolean(),
    url: z.string().meta({ description: 'GET answers its content, once it is uploaded; it wants a token.' }),
    upload: z
      .object({ method: z.enum(['PUT']), url: z.string(), expiresAt: time })
      .optional()
      .meta({ description: 'Where the bytes are to be sent, as they are, with a token; absent once they are there.' }),
  })
  .meta({ id: 'StoredFile' });

export function storedFileView(file: StoredFile, addresses: Addresses): z.input<typeof storedFileSchema> {
  const { fileId, name, tags, contentType, announcedBytes, created, expiresAt, content } = file;
  const url = `${addresses.file(fileId)}/content`;
  const upload = { method: 'PUT' as const, url, expiresAt: uploadUntil(file) };
  const sizeBytes = content?.bytes ?? announcedBytes;
  return shown(storedFileSchema, {
    id: Number(fileId),
    uri: addresses.file(fileId),
    name,
    created: offsetTime(created.at),
    creatorToken: { id: Number(created.by.tokenId ?? 0), description: created.by.tokenDesc ?? '' },
    tags: [...tags],
    ...(contentType === undefined ? {} : { contentType }),
    ...(sizeBytes === undefined ? {} : { sizeBytes }),
    isPermanent: expiresAt === undefined,
    ...(expiresAt === undefined ? {} : { expiresAt }),
    isUploaded: content !== undefined,
    url,
    ...(content === undefined ? { upload } : {}),
  });
}
