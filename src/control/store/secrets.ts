import { createHash } from 'node:crypto';
import { vaultPurpose } from '../../core/vault-variable.ts';
import type { ComponentId } from '../../core/component.ts';
import { parseInstallationId } from '../../core/installation-id.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { ensureDocument } from '../../documents/change-document.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { encryptConfiguration } from '../../secrets/encrypt-configuration.ts';
import { nonceBytes, type SecretKeys, type SecretScope } from '../../secrets/secret-keys.ts';
import type { RandomBytes } from './random-text.ts';

export interface SecretStoreOptions {
  /** For the id of the installation, which ciphertexts are bound to. */
  readonly catalog: Catalog;
  readonly keys: SecretKeys;
  readonly random: RandomBytes;
}

/** Makes ciphertexts of what is a secret, before anything else sees it. It gives no secret back: who runs a configuration decrypts. */
export class SecretStore {
  readonly #options: SecretStoreOptions;
  #installation: string | undefined;

  constructor(options: SecretStoreOptions) {
    this.#options = options;
  }

  /** Encrypts texts of a component's configuration, each beside the one that is stored: see `encryptConfiguration`. */
  async encryptionOf(
    componentId: ComponentId,
    options: Waiting,
  ): Promise<(text: string, before: string | undefined) => string> {
    const { keys } = this.#options;
    const scope = await this.#scopeOf(componentId, options);
    return (text, before = '{}') => encryptConfiguration(text, before, { keys, scope, nonce: () => this.#nonce() });
  }

  /** The ciphertext of the value of a variable that a configuration of the component puts at a key with `#`; `secret.noKey`. */
  async encryptVariable(value: string, componentId: ComponentId, options: Waiting): Promise<string> {
    const { keys } = this.#options;
    const made = keys.encrypt(value, await this.#scopeOf(componentId, options), this.#nonce());
    if (made !== undefined) return made;
    const message =
      'the value of a variable that stands at a key with "#" is stored encrypted, and this installation has no key: set MILLRACE_ENCRYPTION_KEYS in its processes with the roles admin and work';
    throw new MillraceError('secret.noKey', message);
  }

  /** The ciphertext of a value of the vault; `secret.noKey`. */
  async encryptVaultValue(value: string, options: Waiting): Promise<string> {
    const { keys } = this.#options;
    const made = keys.encrypt(value, await this.#scopeOf(vaultPurpose, options), this.#nonce());
    if (made !== undefined) return made;
    const message =
      'a value of the vault is stored encrypted, and this installation has no key: set MILLRACE_ENCRYPTION_KEYS in its processes with the roles admin and work';
    throw new MillraceError('secret.noKey', message);
  }

  #nonce(): Uint8Array {
    return this.#options.random(nonceBytes);
  }

  async #scopeOf(purpose: string, options: Waiting): Promise<SecretScope> {
    this.#installation ??= await this.#readInstallation(options);
    return { installation: this.#installation, purpose };
  }

  /** It is there since the first process that claimed the stores; where nobody claims, it is made here. */
  async #readInstallation(options: Waiting): Promise<string> {
    const { catalog, random } = this.#options;
    const digits = createHash('sha256').update(random(32)).digest('hex');
    const id = parseInstallationId(digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-4$3-8$4-$5'));
    const place = { kind: installationDocuments, id: 'installation', value: { id, claimed: [] } };
    return (await ensureDocument(catalog, place, options)).id;
  }
}
