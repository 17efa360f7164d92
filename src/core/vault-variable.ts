import type { BranchId } from './ids.ts';
import type { Stamp } from './source.ts';

/** A value of the vault: of a branch, or without one of the project, whose values hold in every branch that has none of this name. */
export interface VaultKey {
  readonly branchId?: BranchId;
  readonly name: string;
}

/** A value that configurations name as `{{vault.name}}`, collection `vault`. */
export interface VaultVariable extends VaultKey {
  /** A ciphertext, always. */
  readonly value: string;
  readonly created: Stamp;
  /** When its value was set last. */
  readonly updated: Stamp;
}

/** The purpose that ciphertexts of the vault are bound to. */
export const vaultPurpose = 'vault';

/** True for what can be the name of a value of the vault. */
export function isVaultName(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,96}$/.test(text);
}
