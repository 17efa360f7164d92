import { z } from 'zod';
import type { AuditEntry } from '../../core/audit-entry.ts';
import type { Addresses } from '../addresses.ts';
import { shown } from './shown.ts';
import { stampSchema } from './stamp-view.ts';

const definition = z.record(z.string(), z.unknown());

export const auditEntrySchema = z
  .object({
    id: z.string().meta({ description: 'A number; a later entry has a greater one.' }),
    operation: z.string().meta({ description: 'The `operationId` of the request.', example: 'updateSink' }),
    object: z
      .object({
        kind: z.enum([
          'source',
          'sink',
          'token',
          'table',
          'bucket',
          'file',
          'configuration',
          'schedule',
          'vaultVariable',
          'job',
        ]),
        branchId: z.int().optional(),
        sourceId: z.string().optional(),
        sinkId: z.string().optional(),
        tokenId: z.string().optional(),
        tableId: z.string().optional(),
        bucketId: z.string().optional(),
        fileId: z.string().optional(),
        componentId: z.string().optional(),
        configurationId: z.string().optional(),
        name: z.string().optional(),
        jobId: z.string().optional(),
      })
      .optional(),
    at: z.iso.datetime(),
    by: stampSchema.shape.by,
    requestId: z.string().meta({ description: 'The `exceptionId` of its answer, if that was an error of our side.' }),
    task: z.object({ taskId: z.string(), url: z.url() }).optional(),
    outcome: z.enum(['processing', 'success', 'error', 'interrupted']).meta({
      description: '`interrupted`: the process died before it could say; `after` is what its successor found.',
    }),
    finishedAt: z.iso.datetime().optional(),
    error: z.string().optional(),
    before: definition.optional().meta({
      description:
        'The definition before the change, without secrets. Absent when it did not exist; absent with `after` when nothing of it changed. `isCut`: it was too large to be kept whole.',
    }),
    after: definition.optional().meta({ description: 'The definition after the change, likewise.' }),
  })
  .meta({ id: 'AuditEntry' });

/** An entry of the audit trail as the API shows it. */
export function auditEntryView(entry: AuditEntry, addresses: Addresses): z.input<typeof auditEntrySchema> {
  const { taskId } = entry;
  const task = taskId === undefined ? {} : { task: { taskId, url: addresses.task(taskId) } };
  return shown(auditEntrySchema, { ...entry, ...task });
}
