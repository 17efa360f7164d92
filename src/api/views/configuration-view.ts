import { z } from 'zod';
import type { Configuration, ConfigurationRow, ConfigurationVersion } from '../../core/configuration.ts';
import { JsonText } from '../../core/json-text.ts';
import type { Stamp } from '../../core/source.ts';
import type { ConfigurationDefinition, KeptRow } from '../../documents/configuration-version-document.ts';
import { configurationVersionId } from '../../documents/document-id.ts';
import { configurationWords, stateWords } from '../schemas/configuration-words.ts';

const creatorToken = z.object({ id: z.int(), description: z.string() });
const time = z.string().meta({ example: '2026-11-21T18:00:00+0000' });
const object = z.record(z.string(), z.unknown());
const configuration = object.meta(configurationWords);
const state = object.meta(stateWords);

const versionFields = {
  version: z.int().min(1),
  changeDescription: z.string(),
  created: time,
  creatorToken,
};

const described = { name: z.string(), description: z.string(), isDisabled: z.boolean() };

export const rowSchema = z
  .object({ id: z.string(), ...described, ...versionFields, configuration, state })
  .meta({ id: 'ConfigurationRow' });

const currentVersion = z.object({
  created: time,
  creatorToken,
  changeDescription: z.string(),
  versionIdentifier: z.string(),
});

const record = {
  id: z.string(),
  ...described,
  ...versionFields,
  isDeleted: z.boolean(),
  currentVersion,
};

export const configurationSchema = z
  .object({
    ...record,
    configuration,
    state,
    rowsSortOrder: z.array(z.string()),
    rows: z.array(rowSchema),
  })
  .meta({ id: 'Configuration' });

/** In a list of components: the large fields only where they are asked for. */
export const listedConfigurationSchema = z
  .object({
    ...record,
    configuration: configuration.optional(),
    state: state.optional(),
    rowsSortOrder: z.array(z.string()).optional(),
    rows: z.array(rowSchema).optional(),
  })
  .meta({ id: 'ListedConfiguration' });

const keptRowSchema = rowSchema.omit({ state: true }).meta({ id: 'ConfigurationRowVersion' });

export const versionEntrySchema = z
  .object({ ...described, ...versionFields, isDeleted: z.boolean() })
  .meta({ id: 'ConfigurationVersionEntry' });

export const configurationVersionSchema = versionEntrySchema
  .extend({ configuration, rows: z.array(keptRowSchema) })
  .meta({ id: 'ConfigurationVersion' });

export const rowVersionSchema = keptRowSchema;

/** A configuration with its rows, for `jsonAnswer`. */
export function configurationView(configuration: Configuration): object {
  const { state, rows } = configuration;
  return {
    ...recordView(configuration),
    configuration: new JsonText(configuration.configuration),
    state: new JsonText(state),
    rowsSortOrder: rows.map(({ rowId }) => rowId),
    rows: rows.map(rowView),
  };
}

/** Without what may be large. */
export function recordView(configuration: Configuration): object {
  const { configurationId, name, description, isDisabled, deleted, version, created } = configuration;
  const { changeDescription } = version;
  return {
    id: configurationId,
    name,
    description,
    ...createdView(created),
    version: version.number,
    changeDescription,
    isDisabled,
    isDeleted: deleted !== undefined,
    currentVersion: {
      ...createdView(version),
      changeDescription,
      versionIdentifier: configurationVersionId(configuration, version.number),
    },
  };
}

export function rowView(row: ConfigurationRow): object {
  return { ...keptRowView(row), state: new JsonText(row.state) };
}

/** A row as a version keeps it. */
export function keptRowView({
  rowId,
  name,
  description,
  configuration,
  isDisabled,
  version,
  created,
}: KeptRow): object {
  return {
    id: rowId,
    name,
    description,
    configuration: new JsonText(configuration),
    isDisabled,
    version: version.number,
    ...createdView(created),
    changeDescription: version.changeDescription,
  };
}

interface KeptVersion {
  readonly version: ConfigurationVersion;
  readonly definition: Pick<ConfigurationDefinition, 'name' | 'description' | 'isDisabled'>;
}

/** A version in a list. */
export function versionEntryView({ version, definition: { name, description, isDisabled } }: KeptVersion): object {
  const { number, changeDescription } = version;
  return {
    version: number,
    ...createdView(version),
    changeDescription,
    name,
    description,
    isDisabled,
    // A version of a deletion is what the configuration was before.
    isDeleted: false,
  };
}

/** When and by whom, as the interface writes it. */
export function createdView({ at, by: { tokenId, tokenDesc } }: Stamp): object {
  return {
    created: offsetTime(at),
    creatorToken: { id: Number(tokenId ?? 0), description: tokenDesc ?? '' },
  };
}

/** `2026-11-21T18:00:00+0000` of an ISO time in UTC. */
export function offsetTime(at: string): string {
  return `${at.slice(0, 19)}+0000`;
}
