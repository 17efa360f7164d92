import { z } from 'zod';
import type { Configuration, ConfigurationRow, ConfigurationVersion } from '../core/configuration.ts';
import { configurationVersion } from './configuration-document.ts';
import { name, stamp, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

/** What a version keeps of a row: everything but its state, which has no versions. */
export type KeptRow = Omit<ConfigurationRow, 'state'>;

/** What a version keeps of a configuration: everything that a rollback brings back. */
export interface ConfigurationDefinition extends Pick<
  Configuration,
  'name' | 'description' | 'configuration' | 'isDisabled'
> {
  readonly rows: readonly KeptRow[];
}

/** A document of the collection `configuration-version`; written before the configuration shows the version. */
export interface KeptConfiguration {
  readonly version: ConfigurationVersion;
  readonly definition: ConfigurationDefinition;
}

const row: z.ZodType<KeptRow> = z.looseObject({
  rowId: name,
  name: text,
  description: text,
  configuration: text,
  isDisabled: z.boolean(),
  version: configurationVersion,
  created: stamp,
} satisfies FieldsOf<KeptRow>);

const definition: z.ZodType<ConfigurationDefinition> = z.looseObject({
  name: text,
  description: text,
  configuration: text,
  isDisabled: z.boolean(),
  rows: z.array(row),
} satisfies FieldsOf<ConfigurationDefinition>);

const schema: z.ZodType<KeptConfiguration> = z.looseObject({
  version: configurationVersion,
  definition,
} satisfies FieldsOf<KeptConfiguration>);

/** Documents of collection `configuration-version`. */
export const configurationVersionDocuments = new DocumentKind<KeptConfiguration>({
  collection: 'configuration-version',
  schema,
});
