import { isDeepStrictEqual } from 'node:util';
import type {
  Configuration,
  ConfigurationKey,
  ConfigurationRow,
  ConfigurationVersion,
} from '../../core/configuration.ts';
import type { KeptRow } from '../../documents/configuration-version-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { changeConfiguration } from './change-configuration.ts';
import type { ConfigurationParts } from './configuration-changes.ts';
import { createConfiguration } from './create-configuration.ts';

interface VersionOf {
  readonly key: ConfigurationKey;
  readonly number: number;
  readonly change: Change;
}

/** Makes a configuration what it was in a version, rows included. States stay; those of rows that come back are empty. */
export function rollbackConfiguration(
  parts: ConfigurationParts,
  { key, number, changeDescription, change }: VersionOf & { readonly changeDescription?: string | undefined },
  options: Waiting,
): Promise<Configuration> {
  return changeConfiguration(
    parts,
    {
      key,
      change,
      plan: async (before, { stamp }) => {
        const { definition } = await parts.configurations.version(before, number, options);
        const note = changeDescription ?? `Rollback to version ${number}`;
        const make = (found: Configuration): Configuration => {
          const rows = definition.rows.map((row) => rolledBack(row, found, { changeDescription: note, ...stamp }));
          return { ...found, ...definition, rows };
        };
        return { make, note };
      },
    },
    options,
  );
}

/** Makes another configuration of a version, with its rows under their ids; `configuration.exists`. */
export async function copyConfiguration(
  parts: ConfigurationParts,
  {
    key,
    number,
    wanted,
    change,
  }: VersionOf & {
    readonly wanted: {
      readonly configurationId?: string | undefined;
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly changeDescription?: string | undefined;
    };
  },
  options: Waiting,
): Promise<Configuration> {
  const { branchId, componentId, configurationId } = key;
  const from = await parts.configurations.get(key, options);
  const { definition } = await parts.configurations.version(from, number, options);
  const { name = `Copy of ${definition.name}`, description = definition.description } = wanted;
  const { changeDescription = `Copied from configuration "${configurationId}", version ${number}` } = wanted;
  const { configuration, isDisabled } = definition;
  return createConfiguration(
    parts,
    {
      component: { branchId, componentId },
      configurationId: wanted.configurationId,
      wanted: { name, description, configuration, isDisabled, changeDescription },
      rows: definition.rows.map((row) => ({ ...row, state: '{}' })),
      change,
    },
    options,
  );
}

/** A row as it was. One that is there and is another now gets a version of its own; one that is not comes back with the one it had. */
function rolledBack(
  kept: KeptRow,
  { rows }: Configuration,
  version: Omit<ConfigurationVersion, 'number'>,
): ConfigurationRow {
  const now = rows.find(({ rowId }) => rowId === kept.rowId);
  if (now === undefined) return { ...kept, state: '{}' };
  const { state, version: current, ...was } = now;
  const { version: _, ...made } = kept;
  if (isDeepStrictEqual(was, made)) return now;
  return { ...made, state, version: { ...version, number: current.number + 1 } };
}
