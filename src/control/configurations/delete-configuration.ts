import type { Configuration, ConfigurationKey } from '../../core/configuration.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import { dropVersions } from '../store/configuration-versions.ts';
import { noConfiguration } from '../store/configurations.ts';
import { aloneOnConfiguration } from './alone-on-configuration.ts';
import { removeSchedule } from './change-schedule.ts';
import type { ConfigurationParts } from './configuration-changes.ts';
import { writeConfiguration } from './write-configuration.ts';

export interface ConfigurationRemoval {
  readonly key: ConfigurationKey;
  readonly change: Change;
}

/** Deletes a configuration: the first time it can be restored, the second time nothing of it is left. `configuration.notFound`. */
export async function deleteConfiguration(
  parts: ConfigurationParts,
  { key, change }: ConfigurationRemoval,
  options: Waiting,
): Promise<void> {
  await aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    const before = await parts.configurations.find(key, options);
    if (before === undefined) throw noConfiguration(key.configurationId);
    await change.begin({ kind: 'configuration', ...key }, options);
    if (before.deleted === undefined) await mark(parts, { key, before, change }, options);
    else await purge(parts, before, options);
  });
}

/** Brings a deleted configuration back as it was; `configuration.notFound`. */
export function restoreConfiguration(
  parts: ConfigurationParts,
  { key, change }: ConfigurationRemoval,
  options: Waiting,
): Promise<Configuration> {
  return aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    const before = await parts.configurations.find(key, options);
    if (before?.deleted === undefined) throw noConfiguration(key.configurationId);
    await change.begin({ kind: 'configuration', ...key }, options);
    const make = (found: Configuration = before): Configuration => {
      const { deleted: _, ...kept } = found;
      return kept;
    };
    const stamp = stampNow(parts, change.by);
    return writeConfiguration(
      parts,
      { key, before, make, note: 'Configuration restored', stamp, always: true },
      options,
    );
  });
}

async function mark(
  parts: ConfigurationParts,
  { key, before, change }: ConfigurationRemoval & { readonly before: Configuration },
  options: Waiting,
): Promise<void> {
  const stamp = stampNow(parts, change.by);
  const make = (found: Configuration = before): Configuration => ({ ...found, deleted: stamp });
  await writeConfiguration(parts, { key, before, make, note: 'Configuration deleted', stamp, always: true }, options);
}

/** Its versions and its schedule first: whoever dies in between leaves a deleted configuration, which can be deleted again. */
async function purge({ catalog }: ConfigurationParts, configuration: Configuration, options: Waiting): Promise<void> {
  configurationDocuments.requireWritable(configuration, configurationDocumentId(configuration));
  await dropVersions(catalog, configuration, options);
  await removeSchedule({ catalog }, configuration, options);
  const { collection } = configurationDocuments;
  await removeDocument(catalog, { collection, id: configurationDocumentId(configuration) }, options);
}
