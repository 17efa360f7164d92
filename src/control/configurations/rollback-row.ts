import type { ConfigurationKey, ConfigurationRow } from '../../core/configuration.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { createRow, updateRow } from './change-rows.ts';
import type { ConfigurationParts } from './configuration-changes.ts';
import { findRowVersion } from './row-versions.ts';

interface RowVersionOf {
  readonly key: ConfigurationKey;
  readonly rowId: string;
  readonly number: number;
  readonly change: Change;
}

/** Makes a row what it was in a version of its own; its state stays. */
export async function rollbackRow(
  parts: ConfigurationParts,
  { key, rowId, number, changeDescription, change }: RowVersionOf & { readonly changeDescription?: string | undefined },
  options: Waiting,
): Promise<ConfigurationRow> {
  const { name, description, configuration, isDisabled } = await findRowVersion(parts, { key, rowId, number }, options);
  const wanted = {
    name,
    description,
    configuration,
    isDisabled,
    changeDescription: changeDescription ?? `Row ${rowId} rolled back to version ${number}`,
  };
  return updateRow(parts, { key, rowId, wanted, change }, options);
}

/** Adds a row that is like a version of another one of the configuration. */
export async function copyRow(
  parts: ConfigurationParts,
  {
    key,
    rowId,
    number,
    wanted: { name, description, ...wanted },
    change,
  }: RowVersionOf & {
    readonly wanted: {
      readonly rowId?: string | undefined;
      readonly name?: string | undefined;
      readonly description?: string | undefined;
      readonly changeDescription?: string | undefined;
    };
  },
  options: Waiting,
): Promise<ConfigurationRow> {
  const from = await findRowVersion(parts, { key, rowId, number }, options);
  const made = {
    name: name ?? from.name,
    description: description ?? from.description,
    configuration: from.configuration,
    isDisabled: from.isDisabled,
    changeDescription: wanted.changeDescription ?? `Copied from row ${rowId}, version ${number}`,
  };
  return createRow(parts, { key, rowId: wanted.rowId, wanted: made, change }, options);
}
