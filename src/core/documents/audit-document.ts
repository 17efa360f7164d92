import { z } from 'zod';
import type { AuditedDefinition, AuditEntry, AuditObject } from '../audit-entry.ts';
import { branchId, by, name, sinkId, sourceId, text } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const object: z.ZodType<AuditObject> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('source'), branchId, sourceId }),
  z.object({ kind: z.literal('sink'), branchId, sourceId, sinkId }),
  z.object({ kind: z.literal('token'), tokenId: name }),
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
  z.object({ ...shared, outcome: z.literal('processing') }),
  z.object({ ...ended, outcome: z.literal('success') }),
  z.object({ ...ended, outcome: z.literal('error'), error: text }),
  z.object({ ...ended, outcome: z.literal('interrupted') }),
]);

/** A document of collection `audit`; another shape is `catalog.invalidDocument`. */
export function parseAuditDocument(value: unknown): AuditEntry {
  return parseDocument('audit', schema, value);
}
