import { setImmediate } from 'node:timers/promises';
import type { ComponentId } from '../../core/component.ts';
import type { Configuration, ConfigurationKey } from '../../core/configuration.ts';
import type { BranchId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { shortened } from '../../core/shortened.ts';
import type { Schedule } from '../../core/schedules/schedule.ts';
import type { VaultKey, VaultVariable } from '../../core/vault-variable.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import {
  configurationVersionDocuments,
  type KeptConfiguration,
} from '../../documents/configuration-version-document.ts';
import {
  componentPrefix,
  configurationDocumentId,
  configurationVersionId,
  vaultDocumentId,
  vaultPrefix,
} from '../../documents/document-id.ts';
import { listDocuments } from '../../documents/list-documents.ts';
import { readDocument } from '../../documents/read-document.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import { vaultDocuments } from '../../documents/vault-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** Where the configurations of a component are. */
export interface ComponentKey {
  readonly branchId: BranchId;
  readonly componentId: ComponentId;
}

/** So many are read at a time: one may have megabytes. */
const pageSize = 10;

/** Configurations, their versions and the values of the vault, as they stand in the catalog. */
export class Configurations {
  readonly #catalog: Catalog;

  constructor(catalog: Catalog) {
    this.#catalog = catalog;
  }

  /** The configuration, deleted or not. */
  async find(key: ConfigurationKey, options: Waiting): Promise<Configuration | undefined> {
    const place = { kind: configurationDocuments, id: configurationDocumentId(key) };
    return (await readDocument(this.#catalog, place, options))?.value;
  }

  /** The configuration that is not deleted; `configuration.notFound`. */
  async get(key: ConfigurationKey, options: Waiting): Promise<Configuration> {
    const found = await this.find(key, options);
    if (found !== undefined && found.deleted === undefined) return found;
    throw noConfiguration(key.configurationId);
  }

  /** Configurations of a component, ascending by id: those that are deleted, or the others. */
  async *list(
    key: ComponentKey,
    { deleted, ...options }: Waiting & { readonly deleted: boolean },
  ): AsyncGenerator<Configuration> {
    for (let after: string | undefined; ;) {
      const query = { collection: configurationDocuments.collection, prefix: componentPrefix(key), limit: pageSize };
      const page = await this.#catalog.list({ ...query, ...(after === undefined ? {} : { after }) }, options);
      for (const { id, value } of page) {
        await othersFirst();
        const found = configurationDocuments.parse(value, id);
        if ((found.deleted !== undefined) === deleted) yield found;
      }
      after = page.at(-1)?.id;
      if (page.length < pageSize) return;
    }
  }

  /** How many a component has, deleted ones too. */
  count(key: ComponentKey, options: Waiting): Promise<number> {
    return this.#catalog.count(configurationDocuments.collection, componentPrefix(key), options);
  }

  /** A version; `configuration.notFound` for one that the configuration does not show, or that is not kept any more. */
  async version(configuration: Configuration, number: number, options: Waiting): Promise<KeptConfiguration> {
    const found = await this.findVersion(configuration, number, options);
    if (found !== undefined) return found;
    throw noVersion(configuration.configurationId, number);
  }

  /** The same, undefined for none. */
  async findVersion(
    configuration: Configuration,
    number: number,
    options: Waiting,
  ): Promise<KeptConfiguration | undefined> {
    const newest = configuration.version.number;
    if (number > newest || number < oldestKept(newest)) return undefined;
    await othersFirst();
    const id = configurationVersionId(configuration, number);
    return (await readDocument(this.#catalog, { kind: configurationVersionDocuments, id }, options))?.value;
  }

  /** The schedule of a configuration, whether that is deleted or not. */
  async findSchedule(key: ConfigurationKey, options: Waiting): Promise<Schedule | undefined> {
    const place = { kind: scheduleDocuments, id: configurationDocumentId(key) };
    return (await readDocument(this.#catalog, place, options))?.value;
  }

  async findVault(key: VaultKey, options: Waiting): Promise<VaultVariable | undefined> {
    const place = { kind: vaultDocuments, id: vaultDocumentId(key) };
    return (await readDocument(this.#catalog, place, options))?.value;
  }

  /** Values of a branch, or without one of the project, by name; without those of the other. */
  listVault(branchId: BranchId | undefined, options: Waiting): Promise<readonly VaultVariable[]> {
    return listDocuments(this.#catalog, { kind: vaultDocuments, prefix: vaultPrefix(branchId) }, options);
  }
}

/** D8: whoever reads one after the other, of megabytes each, lets everybody else have a turn in between. */
function othersFirst(): Promise<void> {
  return setImmediate();
}

/** The number of the oldest version that is kept beside this one. */
export function oldestKept(newest: number): number {
  return Math.max(1, newest - limits.versionsPerObject + 1);
}

export function noConfiguration(id: string): MillraceError {
  return new MillraceError('configuration.notFound', `Configuration "${shortened(id, 100)}" not found`);
}

export function noSchedule({ configurationId }: ConfigurationKey): MillraceError {
  return new MillraceError('schedule.notFound', `Configuration "${configurationId}" has no schedule`);
}

export function noRow(rowId: string): MillraceError {
  return new MillraceError('configuration.notFound', `Row ${shortened(rowId, 100)} not found`);
}

export function noVersion(id: string, number: number): MillraceError {
  return new MillraceError('configuration.notFound', `Version ${number} of "${shortened(id, 100)}" not found`);
}
