import { Readable } from 'node:stream';
import { z } from 'zod';
import { addTag, deleteFile, removeTag } from '../../../control/files/change-file.ts';
import { prepareFile } from '../../../control/files/prepare-file.ts';
import { receiveFile } from '../../../control/files/receive-file.ts';
import { listFiles, openFile } from '../../../control/files/stored-files.ts';
import { limits } from '../../../core/limits.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { prepareFileBody, tagBody } from '../../schemas/file-body.ts';
import { filePath } from '../../schemas/path.ts';
import { storedFileSchema, storedFileView } from '../../views/stored-file-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { requireSeenFile, seenCreator } from './own-files.ts';

const all = '/v2/storage/files';
const one = `${all}/{fileId}`;
const file = { description: 'The file.', schema: storedFileSchema };

export const prepareFileRoute = defineChange({
  method: 'POST',
  path: `${all}/prepare`,
  access: 'writeTables',
  operationId: 'prepareFile',
  summary: 'Prepare a file: the answer says where its bytes are to be sent, within a day.',
  bodyKind: 'fields',
  body: prepareFileBody,
  refuses: ['fileValidation', 'fileCountLimitReached'],
  responses: { 201: file },
  handle: async ({ body }, context, { change, signal }) => {
    const { name, contentType, sizeBytes, isPermanent = false } = body;
    const tags = body.tags ?? body['tags[]'] ?? [];
    const wanted = { name, tags, isPermanent, contentType, announcedBytes: sizeBytes, change };
    const made = await prepareFile(context, wanted, { signal });
    return { kind: 'json', status: 201, body: storedFileView(made, context.addresses) };
  },
});

export const uploadFileRoute = defineChange({
  method: 'PUT',
  path: `${one}/content`,
  access: 'writeTables',
  operationId: 'uploadFile',
  streams: true,
  summary: 'Upload the bytes of a file that was prepared. What breaks off leaves nothing, and may be sent again.',
  params: filePath,
  bodyKind: 'stream',
  refuses: ['fileValidation', 'fileAlreadyUploaded', 'clientClosed'],
  responses: { 200: file },
  handle: async ({ params: { fileId }, body }, context, { token, change, signal }) => {
    await requireSeenFile(context, { fileId, token }, { signal });
    if (!(body instanceof Readable)) throw new MillraceError('internal.bug', 'an upload has no stream');
    const received = await receiveFile(context, { fileId, content: body, change }, { signal });
    return ok(storedFileView(received, context.addresses));
  },
});

const mostListed = 1000;
const listQuery = z.object({
  limit: maybe(integerText({ name: 'limit', min: 1, max: mostListed })).meta({ description: '100 when absent.' }),
  offset: maybe(integerText({ name: 'offset', min: 0, max: 1_000_000_000 })),
  tags: maybe(z.string()).meta({
    description: 'Only files with all of these tags, separated by commas; `tags[]`, too.',
  }),
  q: maybe(z.string()).meta({ description: 'Only files whose name has this text, in any letter case.' }),
});

export const listFilesRoute = defineRoute({
  method: 'GET',
  path: all,
  access: 'readTables',
  operationId: 'listFiles',
  summary:
    'List the files that were uploaded, the newest first: all, or those that the caller prepared when it is limited to some buckets.',
  query: listQuery,
  responses: { 200: { description: 'A page of files.', schema: z.array(storedFileSchema) } },
  handle: async ({ query: { limit = 100, offset = 0, tags = '', q } }, context, { token, signal }) => {
    const creator = seenCreator(token);
    const wanted = { tags: tags.split(',').filter((tag) => tag !== ''), name: q, creator, offset, limit };
    const files = await listFiles(context, wanted, { signal });
    return ok(files.map((found) => storedFileView(found, context.addresses)));
  },
});

export const getFileRoute = defineRoute({
  method: 'GET',
  path: one,
  access: 'readTables',
  operationId: 'getFile',
  summary: 'Get a file, without its content.',
  params: filePath,
  responses: { 200: file },
  handle: async ({ params: { fileId } }, context, { token, signal }) =>
    ok(storedFileView(await requireSeenFile(context, { fileId, token }, { signal }), context.addresses)),
});

export const downloadFileRoute = defineRoute({
  method: 'GET',
  path: `${one}/content`,
  access: 'readTables',
  operationId: 'downloadFile',
  streams: true,
  summary: 'Stream the bytes of a file.',
  params: filePath,
  refuses: ['fileNotUploaded'],
  responses: {
    200: {
      description: 'The bytes as they were uploaded.',
      contentTypes: ['application/octet-stream'],
      headers: { 'Content-Disposition': 'Its name.' },
    },
  },
  handle: async ({ params: { fileId } }, context, { token, signal }) => {
    const found = await requireSeenFile(context, { fileId, token }, { signal });
    const content = await openFile(context, found, { signal });
    // Whatever it says that it is: no browser shows it as a page of this product.
    return { kind: 'stream', contentType: 'application/octet-stream', fileName: found.name, content };
  },
});

export const deleteFileRoute = defineChange({
  method: 'DELETE',
  path: one,
  access: 'writeTables',
  operationId: 'deleteFile',
  summary: 'Delete a file with its content.',
  params: filePath,
  responses: { 204: { description: 'It is gone.' } },
  handle: async ({ params: { fileId } }, context, { token, change, signal }) => {
    await requireSeenFile(context, { fileId, token }, { signal });
    await deleteFile(context, { fileId, change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});

export const addFileTagRoute = defineChange({
  method: 'POST',
  path: `${one}/tags`,
  access: 'writeTables',
  operationId: 'addFileTag',
  summary: 'Give a file a tag, if it has it not.',
  params: filePath,
  bodyKind: 'fields',
  body: tagBody,
  refuses: ['fileValidation'],
  responses: { 201: file },
  handle: async ({ params: { fileId }, body: { tag } }, context, { token, change, signal }) => {
    await requireSeenFile(context, { fileId, token }, { signal });
    const tagged = await addTag(context, { fileId, tag, change }, { signal });
    return { kind: 'json', status: 201, body: storedFileView(tagged, context.addresses) };
  },
});

export const removeFileTagRoute = defineChange({
  method: 'DELETE',
  path: `${one}/tags/{tag}`,
  access: 'writeTables',
  operationId: 'removeFileTag',
  summary: 'Take a tag from a file, if it has it.',
  params: filePath.extend({
    tag: z
      .string()
      .max(4 * limits.tagLength)
      .meta({ example: 'nightly' }),
  }),
  responses: { 204: { description: 'It has it not.' } },
  handle: async ({ params: { fileId, tag } }, context, { token, change, signal }) => {
    await requireSeenFile(context, { fileId, token }, { signal });
    await removeTag(context, { fileId, tag, change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});
