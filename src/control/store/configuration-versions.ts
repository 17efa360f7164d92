import type { Configuration, ConfigurationRow } from '../../core/configuration.ts';
import { removeDocument, putDocument } from '../../documents/change-document.ts';
import {
  configurationVersionDocuments,
  type ConfigurationDefinition,
  type KeptRow,
} from '../../documents/configuration-version-document.ts';
import { configurationPrefix, configurationVersionId } from '../../documents/document-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { oldestKept } from './configurations.ts';

/** What a version keeps. */
export function definitionOf({
  name,
  description,
  configuration,
  isDisabled,
  rows,
}: Configuration): ConfigurationDefinition {
  return { name, description, configuration, isDisabled, rows: rows.map(keptRow) };
}

function keptRow({ state: _, ...row }: ConfigurationRow): KeptRow {
  return row;
}

/** Keeps the definition of a version. Written before the configuration shows the version. */
export async function keepVersion(catalog: Catalog, configuration: Configuration, options: Waiting): Promise<void> {
  const { version } = configuration;
  const value = { version, definition: definitionOf(configuration) };
  const id = configurationVersionId(configuration, version.number);
  await putDocument(catalog, { kind: configurationVersionDocuments, id, value }, options);
}

/** One may have megabytes. */
const pageSize = 2;

/** Removes the versions that are too old to be kept beside the one that it shows, and what a process that died left of them. */
export async function dropOldVersions(catalog: Catalog, configuration: Configuration, options: Waiting): Promise<void> {
  const oldest = oldestKept(configuration.version.number);
  if (oldest === 1) return;
  await dropVersions(catalog, configuration, { ...options, before: configurationVersionId(configuration, oldest) });
}

/** Removes all versions of a configuration, or those with smaller ids. */
export async function dropVersions(
  catalog: Catalog,
  configuration: Configuration,
  { before, ...options }: Waiting & { readonly before?: string },
): Promise<void> {
  const { collection } = configurationVersionDocuments;
  for (;;) {
    const page = await catalog.list(
      { collection, prefix: configurationPrefix(configuration), limit: pageSize },
      options,
    );
    const old = page.filter(({ id }) => before === undefined || id < before);
    for (const { id } of old) await removeDocument(catalog, { collection, id }, options);
    if (old.length < pageSize) return;
  }
}
