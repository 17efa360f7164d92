import { z } from 'zod';
import type { StorageJob } from '../../core/imports/storage-job.ts';
import type { Addresses } from '../addresses.ts';
import { offsetTime } from './configuration-view.ts';
import { shown } from './shown.ts';

const time = z.string().meta({ example: '2026-11-21T18:00:00+0000' });

export const storageJobSchema = z
  .object({
    id: z.int(),
    status: z.enum(['waiting', 'processing', 'success', 'error']),
    url: z.string(),
    tableId: z.string(),
    operationName: z.enum(['tableCreate', 'tableImport']),
    operationParams: z.object({
      source: z.object({ fileId: z.int() }),
      params: z.object({
        incremental: z.boolean(),
        primaryKey: z.array(z.string()),
        delimiter: z.string(),
        enclosure: z.string(),
        escapedBy: z.string(),
        columns: z.array(z.string()).optional(),
        withoutHeaders: z.boolean(),
        ignoredLinesCount: z.int(),
      }),
    }),
    createdTime: time,
    startTime: time.nullable(),
    endTime: time.nullable(),
    results: z
      .object({ id: z.string(), totalRowsCount: z.int(), importedColumns: z.array(z.string()) })
      .nullable()
      .meta({ description: 'Null until it has succeeded.' }),
    creatorToken: z.object({ id: z.int(), description: z.string() }),
    metrics: z.object({ inBytes: z.int(), outBytes: z.int() }),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
  })
  .meta({ id: 'StorageJob' });

export function storageJobView(job: StorageJob, addresses: Addresses): z.input<typeof storageJobSchema> {
  const { jobId, created, request, status } = job;
  const { operation, tableId, fileId, form, primaryKey, isIncremental } = request;
  const startedAt = 'startedAt' in job ? job.startedAt : undefined;
  const endedAt = 'endedAt' in job ? job.endedAt : undefined;
  const result = status === 'success' ? job.result : undefined;
  return shown(storageJobSchema, {
    id: Number(jobId),
    status,
    url: addresses.storageJob(jobId),
    tableId,
    operationName: operation,
    operationParams: {
      source: { fileId: Number(fileId) },
      params: {
        incremental: isIncremental,
        primaryKey: [...primaryKey],
        delimiter: form.delimiter,
        enclosure: form.enclosure,
        escapedBy: form.escapedBy,
        ...(form.columns === undefined ? {} : { columns: [...form.columns] }),
        withoutHeaders: !form.hasHeader,
        ignoredLinesCount: form.ignoredLines,
      },
    },
    createdTime: offsetTime(created.at),
    startTime: startedAt === undefined ? null : offsetTime(startedAt),
    endTime: endedAt === undefined ? null : offsetTime(endedAt),
    results:
      result === undefined ? null : { id: tableId, totalRowsCount: result.rows, importedColumns: [...result.columns] },
    creatorToken: { id: Number(created.by.tokenId ?? 0), description: created.by.tokenDesc ?? '' },
    metrics: { inBytes: result?.bytes ?? 0, outBytes: 0 },
    ...(status === 'error' ? { error: { code: job.error.code, message: job.error.message } } : {}),
  });
}
