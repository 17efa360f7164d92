import { z } from 'zod';
import type { CsvForm, StorageJob, StorageJobRequest, StorageJobResult } from '../core/imports/storage-job.ts';
import { DocumentKind } from './document-kind.ts';
import { count, name, stamp, tableId, text, type FieldsOf } from './fields.ts';

const form: z.ZodType<CsvForm> = z.looseObject({
  delimiter: text,
  enclosure: text,
  escapedBy: text,
  columns: z.array(text).exactOptional(),
  hasHeader: z.boolean(),
  ignoredLines: count,
} satisfies FieldsOf<CsvForm>);

const request: z.ZodType<StorageJobRequest> = z.looseObject({
  operation: z.enum(['tableCreate', 'tableImport']),
  tableId,
  fileId: name,
  form,
  primaryKey: z.array(text),
  isIncremental: z.boolean(),
} satisfies FieldsOf<StorageJobRequest>);

export const storageJobResult: z.ZodType<StorageJobResult> = z.looseObject({
  rows: count,
  bytes: count,
  columns: z.array(text),
} satisfies FieldsOf<StorageJobResult>);

const shared = { jobId: name, created: stamp, request };
const ended = { ...shared, startedAt: name.exactOptional(), endedAt: name };

const schema: z.ZodType<StorageJob> = z.discriminatedUnion('status', [
  z.looseObject({ ...shared, status: z.literal('waiting') }),
  z.looseObject({ ...shared, status: z.literal('processing'), startedAt: name }),
  z.looseObject({ ...ended, status: z.literal('success'), result: storageJobResult }),
  z.looseObject({ ...ended, status: z.literal('error'), error: z.looseObject({ code: text, message: text }) }),
]);

/** Documents of collection `storage-job`. */
export const storageJobDocuments = new DocumentKind<StorageJob>({ collection: 'storage-job', schema });
