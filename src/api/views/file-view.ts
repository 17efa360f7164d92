import { z } from 'zod';
import { isoTime } from './iso-time.ts';
import type { SinkFile } from '../../control/reports/sink-files.ts';
import { fileStatisticsSchema, fileStatisticsView } from './statistics-view.ts';

const time = z.iso.datetime();

export const fileSchema = z
  .object({
    state: z.enum(['writing', 'closing', 'importing', 'imported']).meta({
      description:
        '`writing` takes events, `closing` waits for its import, `importing` is being imported or was refused by its table.',
    }),
    openedAt: time.meta({
      description:
        'When the file before it was closed, or its mapping or the sink came. It does not move; an event that waited may have arrived before.',
    }),
    closingAt: time.optional(),
    importingAt: time.optional(),
    importedAt: time.optional(),
    importNumber: z.int().optional().meta({ description: 'As in the list of imports; absent until an import began.' }),
    retryAttempt: z.int().optional().meta({ description: 'Tries that failed in a row.' }),
    retryReason: z.string().optional(),
    retryAfter: time.optional(),
    statistics: fileStatisticsSchema,
  })
  .meta({ id: 'SinkFile' });

export type FileView = z.input<typeof fileSchema>;

export function fileView(file: SinkFile): FileView {
  const { state, openedAt, closingAt, importingAt, importedAt, importNumber, retry, levels } = file;
  return {
    state,
    openedAt: isoTime(openedAt),
    ...(closingAt === undefined ? {} : { closingAt: isoTime(closingAt) }),
    ...(importingAt === undefined ? {} : { importingAt: isoTime(importingAt) }),
    ...(importedAt === undefined ? {} : { importedAt: isoTime(importedAt) }),
    ...(importNumber === undefined ? {} : { importNumber }),
    ...(retry === undefined ? {} : { retryAttempt: retry.attempt, retryReason: retry.reason }),
    ...(retry?.after === undefined ? {} : { retryAfter: retry.after }),
    statistics: fileStatisticsView(levels),
  };
}
