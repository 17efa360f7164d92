import { z } from 'zod';
import type { ComponentId } from '../core/component.ts';
import type { Configuration, ConfigurationRow, ConfigurationVersion } from '../core/configuration.ts';
import { branchId, by, name, positive, stamp, text, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

export const componentId: z.ZodType<ComponentId> = z.enum(['generic-extractor', 'variables', 'shared-code']);

export const configurationVersion: z.ZodType<ConfigurationVersion> = z.looseObject({
  at: name,
  by,
  number: positive,
  changeDescription: text,
} satisfies FieldsOf<ConfigurationVersion>);

const row: z.ZodType<ConfigurationRow> = z.looseObject({
  rowId: name,
  name: text,
  description: text,
  configuration: text,
  state: text,
  isDisabled: z.boolean(),
  version: configurationVersion,
  created: stamp,
} satisfies FieldsOf<ConfigurationRow>);

const schema: z.ZodType<Configuration> = z.looseObject({
  branchId,
  componentId,
  configurationId: name,
  name: text,
  description: text,
  configuration: text,
  state: text,
  isDisabled: z.boolean(),
  version: configurationVersion,
  created: stamp,
  deleted: stamp.exactOptional(),
  rows: z.array(row),
} satisfies FieldsOf<Configuration>);

/** Documents of collection `configuration`. */
export const configurationDocuments = new DocumentKind<Configuration>({ collection: 'configuration', schema });
