import { z } from 'zod';
import type { VaultVariable } from '../../core/vault-variable.ts';
import { stampSchema, stampView } from './stamp-view.ts';

export const vaultVariableSchema = z
  .object({
    name: z.string(),
    branchId: z.int().optional().meta({ description: "Absent: it is the project's." }),
    created: stampSchema,
    updated: stampSchema,
  })
  .meta({ id: 'VaultVariable' });

/** A value of the vault, without the value. */
export function vaultVariableView({
  name,
  branchId,
  created,
  updated,
}: VaultVariable): z.input<typeof vaultVariableSchema> {
  const branch = branchId === undefined ? {} : { branchId };
  return { name, ...branch, created: stampView(created), updated: stampView(updated) };
}
