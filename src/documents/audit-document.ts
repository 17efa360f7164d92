import { z } from 'zod';
import type { AuditedDefinition, AuditEntry, AuditObject } from '../core/audit-entry.ts';
import { bucketId } from './bucket-document.ts';
import { componentId } from './configuration-document.ts';
import { branchId, by, name, sinkId, sourceId, tableId, text } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const object: z.ZodType<AuditObject> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('source'), branchId, sourceId }),
  z.looseObject({ kind: z.literal('sink'), branchId, sourceId, sinkId }),
  z.looseObject({ kind: z.literal('token'), tokenId: name }),
  z.looseObject({ kind: z.literal('table'), tableId }),
  z.looseObject({ kind: z.literal('configuration'), branchId, componentId, configurationId: name }),
  z.looseObject({ kind: z.literal('schedule'), branchId, componentId, configurationId: name }),
  z.looseObject({ kind: z.literal('vaultVariable'), branchId: branchId.exactOptional(), name }),
  z.looseObject({ kind: z.literal('job'), jobId: name }),
  z.looseObject({ kind: z.literal('bucket'), bucketId }),
  z.looseObject({ kind: z.literal('file'), fileId: name }),
]);

const definition: z.ZodType<AuditedDefinition> = z.record(z.string(), z.unknown());

const shared = {
  id: name,
  branchId,
  operation: name,
  object: object.exactOptional(),
  at: name,
  by,
  requestId: text,
  taskId: name.exactOptional(),
  before: definition.exactOptional(),
};

const ended = { ...shared, finishedAt: name, after: definition.exactOptional() };

const schema: z.ZodType<AuditEntry> = z.discriminatedUnion('outcome', [
  z.looseObject({ ...shared, outcome: z.literal('processing') }),
  z.looseObject({ ...ended, outcome: z.literal('success') }),
  z.looseObject({ ...ended, outcome: z.literal('error'), error: text }),
  z.looseObject({ ...ended, outcome: z.literal('interrupted') }),
]);

/** Documents of collection `audit`. */
export const auditDocuments = new DocumentKind<AuditEntry>({
  collection: 'audit',
  schema,
  // Tables came later, then configurations, schedules, jobs, buckets and files; a release that does not know them leaves out their entries.
  format: { version: 3, oldestWriter: 1 },
});
