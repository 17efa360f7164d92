import type { ComponentId } from '../../core/component.ts';
import type { BranchId } from '../../core/ids.ts';
import type { JobValue } from '../../core/jobs/job.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { vaultPurpose, type VaultKey } from '../../core/vault-variable.ts';
import { vaultDocumentId } from '../../documents/document-id.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { vaultDocuments } from '../../documents/vault-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { decryptConfiguration, type Decrypted } from '../../secrets/decrypt-configuration.ts';
import type { SecretKeys, SecretScope } from '../../secrets/secret-keys.ts';
import { JobFault } from './job-fault.ts';

/** Gives the secrets of configurations and of the vault in the clear, to the jobs that need them. */
export class ConfigurationSecrets {
  readonly #catalog: Catalog;
  readonly #keys: SecretKeys;
  #installation: string | undefined;

  constructor(catalog: Catalog, keys: SecretKeys) {
    this.#catalog = catalog;
    this.#keys = keys;
  }

  /** Values of the vault, of the branch before those of the project. `JobFault` for one that cannot be read. */
  async vault(branchId: BranchId, names: ReadonlySet<string>, options: Waiting): Promise<ReadonlyMap<string, string>> {
    const values = new Map<string, string>();
    for (const name of names) {
      const sealed = (await this.#sealed({ branchId, name }, options)) ?? (await this.#sealed({ name }, options));
      if (sealed !== undefined) values.set(name, await this.#opened(name, sealed, options));
    }
    return values;
  }

  /** The configuration of a component with its encrypted values as they were given. `JobFault` for one that cannot be read. */
  async decrypt(configuration: unknown, componentId: ComponentId, options: Waiting): Promise<Decrypted> {
    const scope = await this.#scopeOf(componentId, options);
    try {
      return decryptConfiguration(configuration, { keys: this.#keys, scope });
    } catch (thrown) {
      if (thrown instanceof MillraceError && thrown.code === 'secret.foreign')
        throw new JobFault('user', `Invalid configuration: ${thrown.message}.`, { cause: thrown });
      throw thrown;
    }
  }

  /** Values that came with a job, those that are secret in the clear. `JobFault` for one that cannot be read. */
  async values(values: readonly JobValue[], componentId: ComponentId, options: Waiting): Promise<readonly JobValue[]> {
    if (values.every(({ isSecret }) => isSecret !== true)) return values;
    const scope = await this.#scopeOf(componentId, options);
    return values.map(({ name, value, isSecret }) => {
      const plain = isSecret === true ? this.#keys.decrypt(value, scope) : value;
      if (plain !== undefined) return { name, value: plain };
      const why = 'it was not made in this installation, or MILLRACE_ENCRYPTION_KEYS lacks its key';
      throw new JobFault('user', `The value of the variable "${name}" cannot be decrypted: ${why}.`);
    });
  }

  async #sealed(key: VaultKey, options: Waiting): Promise<string | undefined> {
    const found = await readDocument(this.#catalog, { kind: vaultDocuments, id: vaultDocumentId(key) }, options);
    return found?.value.value;
  }

  async #opened(name: string, sealed: string, options: Waiting): Promise<string> {
    const value = this.#keys.decrypt(sealed, await this.#scopeOf(vaultPurpose, options));
    if (value !== undefined) return value;
    const why = 'it was not made in this installation, or MILLRACE_ENCRYPTION_KEYS lacks its key';
    throw new JobFault('user', `The value "${name}" of the vault cannot be decrypted: ${why}.`);
  }

  async #scopeOf(purpose: string, options: Waiting): Promise<SecretScope> {
    this.#installation ??= await this.#readInstallation(options);
    return { installation: this.#installation, purpose };
  }

  /** Empty where there is none: then nothing has been encrypted either. */
  async #readInstallation(options: Waiting): Promise<string> {
    const found = await readDocument(this.#catalog, { kind: installationDocuments, id: 'installation' }, options);
    return found?.value.id ?? '';
  }
}
