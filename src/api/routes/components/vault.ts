import { z } from 'zod';
import { deleteVaultValue, setVaultValue } from '../../../control/configurations/change-vault.ts';
import type { VaultKey } from '../../../core/vault-variable.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { vaultBody, vaultName } from '../../schemas/vault-body.ts';
import { vaultVariableSchema, vaultVariableView } from '../../views/vault-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { atBothPlaces, type PathParameters } from './place.ts';

const all = '/vault/variables';
const one = `${all}/{name}`;

export const listVaultRoutes = atBothPlaces((place) =>
  defineRoute({
    method: 'GET',
    path: `${place.base}${all}`,
    access: 'read',
    operationId: place.operation('listVaultVariables'),
    summary: 'List the names of the vault: of the project, or those that a branch has itself. No value is ever shown.',
    params: place.branch,
    responses: { 200: { description: 'Sorted by name.', schema: z.array(vaultVariableSchema) } },
    handle: async ({ params }, { configurations }, { signal }) =>
      ok((await configurations.listVault(branchOfVault(params), { signal })).map(vaultVariableView)),
  }),
);

export const setVaultRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'POST',
    path: `${place.base}${all}`,
    access: 'write',
    operationId: place.operation('setVaultVariable'),
    summary: 'Set a value of the vault, which configurations name as `{{vault.name}}`. It is never shown again.',
    params: place.branch,
    bodyKind: 'fields',
    body: vaultBody,
    refuses: ['secretNotEncrypted', 'configurationCountLimitReached'],
    responses: { 201: { description: 'The value, without itself.', schema: vaultVariableSchema } },
    handle: async ({ params, body: { name, value } }, context, { change, signal }) => {
      const key = keyOf(params, name);
      const set = await setVaultValue(context, { key, value, change }, { signal });
      return { kind: 'json', status: 201, body: vaultVariableView(set) };
    },
  }),
);

export const deleteVaultRoutes = atBothPlaces((place) =>
  defineChange({
    method: 'DELETE',
    path: `${place.base}${one}`,
    access: 'write',
    operationId: place.operation('deleteVaultVariable'),
    summary: 'Delete a value of the vault.',
    params: place.branch.extend({ name: vaultName }),
    refuses: ['vaultVariableNotFound', 'invalidFormat'],
    responses: { 204: { description: 'It is gone.' } },
    handle: async ({ params }, context, { change, signal }) => {
      await deleteVaultValue(context, { key: keyOf(params, String(params['name'])), change }, { signal });
      return { kind: 'empty', status: 204 };
    },
  }),
);

/** Without a branch in the path it is the vault of the project, not that of the default branch. */
function branchOfVault({ branchId }: PathParameters): VaultKey['branchId'] {
  return typeof branchId === 'string' ? branchOf({ branchId }) : undefined;
}

function keyOf(params: PathParameters, name: string): VaultKey {
  const branchId = branchOfVault(params);
  return branchId === undefined ? { name } : { branchId, name };
}
