import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { VaultKey, VaultVariable } from '../../core/vault-variable.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { vaultDocumentId, vaultPrefix } from '../../documents/document-id.ts';
import { vaultDocuments } from '../../documents/vault-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import type { Parts } from '../parts.ts';

type VaultParts = Pick<Parts, 'catalog' | 'clock' | 'configurations' | 'secrets' | 'tasks'>;

export interface VaultChange {
  readonly key: VaultKey;
  readonly change: Change;
}

/** Sets a value of the vault, whether it is there or not; it is never shown again. `secret.noKey`, `vault.tooMany`. */
export function setVaultValue(
  parts: VaultParts,
  { key, value, change }: VaultChange & { readonly value: string },
  options: Waiting,
): Promise<VaultVariable> {
  return alone(parts, { key, change }, async () => {
    const ciphertext = await parts.secrets.encryptVaultValue(value, options);
    if ((await parts.configurations.findVault(key, options)) === undefined) await checkCount(parts, key, options);
    await change.begin({ kind: 'vaultVariable', ...key }, options);
    const updated = stampNow(parts, change.by);
    const made: VaultVariable = { ...key, value: ciphertext, created: updated, updated };
    const set = (found: VaultVariable | undefined): VaultVariable =>
      found === undefined ? made : { ...found, value: ciphertext, updated };
    const place = { kind: vaultDocuments, id: vaultDocumentId(key) };
    return (await changeDocument(parts.catalog, { ...place, change: set }, options))?.value ?? made;
  });
}

/** Deletes a value of the vault; `vault.notFound`. */
export function deleteVaultValue(parts: VaultParts, { key, change }: VaultChange, options: Waiting): Promise<void> {
  return alone(parts, { key, change }, async () => {
    const found = await parts.configurations.findVault(key, options);
    if (found === undefined) throw notFound(key);
    vaultDocuments.requireWritable(found, vaultDocumentId(key));
    await change.begin({ kind: 'vaultVariable', ...key }, options);
    await removeDocument(parts.catalog, { collection: vaultDocuments.collection, id: vaultDocumentId(key) }, options);
  });
}

/** One at a time, or all of them would find room for one more. */
function alone<Result>(
  { tasks }: VaultParts,
  { key, change }: VaultChange,
  work: () => Promise<Result>,
): Promise<Result> {
  const name = `vault ${vaultPrefix(key.branchId)}`;
  return tasks.serial.run(name, () => tasks.alone({ claims: [], change }, work));
}

async function checkCount({ catalog }: VaultParts, { branchId }: VaultKey, options: Waiting): Promise<void> {
  const count = await catalog.count(vaultDocuments.collection, vaultPrefix(branchId), options);
  if (count < limits.vaultValues) return;
  const message = `the vault of ${whose(branchId)} has as many values as it may have, ${limits.vaultValues}; delete those that nobody uses`;
  throw new MillraceError('vault.tooMany', message);
}

function notFound({ branchId, name }: VaultKey): MillraceError {
  return new MillraceError('vault.notFound', `the vault of ${whose(branchId)} has no value "${name.slice(0, 100)}"`);
}

function whose(branchId: VaultKey['branchId']): string {
  return branchId === undefined ? 'the project' : `branch ${branchId}`;
}
