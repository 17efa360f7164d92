import type { Configuration, ConfigurationKey } from '../../core/configuration.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Stamp } from '../../core/source.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { stampNow } from '../operations/stamp-now.ts';
import { aloneOnConfiguration } from './alone-on-configuration.ts';
import { withFields, type ConfigurationParts, type Encryption, type WantedFields } from './configuration-changes.ts';
import { writeConfiguration } from './write-configuration.ts';

/** What a change makes of a configuration that is not deleted. It is called again when a state was written meanwhile. */
export interface ConfigurationMaking {
  readonly make: (found: Configuration) => Configuration;
  /** Of the version. */
  readonly note: string;
}

export interface ConfigurationChange {
  readonly key: ConfigurationKey;
  readonly change: Change;
  /** Looks at the configuration as it was read, and refuses or says what is to become of it. */
  readonly plan: (
    before: Configuration,
    means: { readonly encrypt: Encryption; readonly stamp: Stamp },
  ) => ConfigurationMaking | Promise<ConfigurationMaking>;
}

/** Changes a configuration that is not deleted, alone on it, and answers it as it is then; `configuration.notFound`. */
export async function changeConfiguration(
  parts: ConfigurationParts,
  { key, change, plan }: ConfigurationChange,
  options: Waiting,
): Promise<Configuration> {
  const encrypt = await parts.secrets.encryptionOf(key.componentId, options);
  return aloneOnConfiguration(parts, { key, change, ...options }, async () => {
    const before = await parts.configurations.get(key, options);
    const stamp = stampNow(parts, change.by);
    const { make, note } = await plan(before, { encrypt, stamp });
    await change.begin({ kind: 'configuration', ...key }, options);
    return writeConfiguration(parts, { key, before, make: (found = before) => make(found), note, stamp }, options);
  });
}

export interface ConfigurationUpdate {
  readonly key: ConfigurationKey;
  readonly wanted: WantedFields;
  /** All ids of its rows, in the order that they are to have. */
  readonly rowsSortOrder?: readonly string[] | undefined;
  readonly change: Change;
}

/** Changes what is wanted otherwise; a state alone makes no version. */
export function updateConfiguration(
  parts: ConfigurationParts,
  { key, wanted, rowsSortOrder, change }: ConfigurationUpdate,
  options: Waiting,
): Promise<Configuration> {
  return changeConfiguration(
    parts,
    {
      key,
      change,
      plan: (before, { encrypt }) => {
        const after = withFields(before, wanted, encrypt);
        const { name, description, configuration, isDisabled } = after;
        const state = wanted.state === undefined ? {} : { state: after.state };
        return {
          make: (found) => ({
            ...found,
            name,
            description,
            configuration,
            isDisabled,
            ...state,
            rows: inOrder(found.rows, rowsSortOrder),
          }),
          note: wanted.changeDescription ?? 'Configuration updated',
        };
      },
    },
    options,
  );
}

function inOrder(rows: Configuration['rows'], order: readonly string[] | undefined): Configuration['rows'] {
  if (order === undefined) return rows;
  const sorted = order.flatMap((id) => rows.find(({ rowId }) => rowId === id) ?? []);
  if (sorted.length === rows.length && new Set(order).size === rows.length && order.length === rows.length)
    return sorted;
  const message = `"rowsSortOrder" must name each of the ${rows.length} rows once and nothing else`;
  throw new MillraceError('input.invalid', message);
}
