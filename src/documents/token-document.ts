import { z } from 'zod';
import type { Token, TokenScope } from '../core/token.ts';
import { componentId } from './configuration-document.ts';
import { branchId, incarnation, sinkId, sourceId, stamp, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const scope: z.ZodType<TokenScope> = z.discriminatedUnion('kind', [
  z.looseObject({ kind: z.literal('admin') }),
  z.looseObject({ kind: z.literal('readOnly') }),
  z.looseObject({
    kind: z.literal('limited'),
    canManageBuckets: z.boolean(),
    componentAccess: z.array(componentId),
    readBuckets: z.array(z.string()),
    writeBuckets: z.array(z.string()),
  }),
  z.looseObject({
    kind: z.literal('sink'),
    sink: z.looseObject({ branchId, sourceId, sinkId }),
    incarnation,
    writeBuckets: z.array(z.string()),
    canReadAllFileUploads: z.boolean(),
  }),
]);

const schema: z.ZodType<Token> = z.looseObject({
  id: z.string(),
  description: z.string(),
  scope,
  hash: z.string(),
  created: stamp,
  refreshedAt: z.string().exactOptional(),
  expiresAt: z.string().exactOptional(),
} satisfies FieldsOf<Token>);

/** Documents of collection `token`. */
export const tokenDocuments = new DocumentKind<Token>({
  collection: 'token',
  schema,
  // Limited tokens came later; a release that does not know them leaves them alone.
  format: { version: 2, oldestWriter: 1 },
  needsFormat: ({ scope: { kind } }) => kind === 'limited',
});
