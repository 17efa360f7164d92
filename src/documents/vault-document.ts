import { z } from 'zod';
import type { VaultVariable } from '../core/vault-variable.ts';
import { branchId, name, stamp, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

const schema: z.ZodType<VaultVariable> = z.looseObject({
  branchId: branchId.exactOptional(),
  name,
  value: name,
  created: stamp,
  updated: stamp,
} satisfies FieldsOf<VaultVariable>);

/** Documents of collection `vault`. */
export const vaultDocuments = new DocumentKind<VaultVariable>({ collection: 'vault', schema });
