import { z } from 'zod';
import type { Token, TokenScope } from '../token.ts';
import { branchId, incarnation, sinkId, sourceId, stamp } from './fields.ts';
import { parseDocument } from './parse-document.ts';

const scope: z.ZodType<TokenScope> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('admin') }),
  z.object({ kind: z.literal('readOnly') }),
  z.object({
    kind: z.literal('sink'),
    sink: z.object({ branchId, sourceId, sinkId }),
    incarnation,
    writeBuckets: z.array(z.string()),
    canReadAllFileUploads: z.boolean(),
  }),
]);

const schema: z.ZodType<Token> = z.object({
  id: z.string(),
  description: z.string(),
  scope,
  hash: z.string(),
  created: stamp,
  refreshedAt: z.string().exactOptional(),
  expiresAt: z.string().exactOptional(),
});

/** A document of collection `token`; another shape is `catalog.invalidDocument`. */
export function parseTokenDocument(value: unknown): Token {
  return parseDocument('token', schema, value);
}
