import { z } from 'zod';
import { tableType, type Sink } from '../core/sink.ts';
import { sourceTypes, type Source, type Version } from '../core/source.ts';
import { column, settings, signal, tableId, text, version, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

/** What a version of a source keeps: everything that a rollback brings back, no secret. */
export const sourceDefinitionFields = ['type', 'name', 'description', 'settings'] as const;
export type SourceDefinition = Pick<Source, (typeof sourceDefinitionFields)[number]>;

/** What a version of a sink keeps. */
export const sinkDefinitionFields = ['type', 'name', 'description', 'allowedSignals', 'table', 'settings'] as const;
export type SinkDefinition = Pick<Sink, (typeof sinkDefinitionFields)[number]>;

/** A document of the collections `source-version` and `sink-version`; written before the object shows the version. */
export interface KeptVersion<Definition> {
  readonly version: Version;
  readonly definition: Definition;
}

export type SourceVersion = KeptVersion<SourceDefinition>;
export type SinkVersion = KeptVersion<SinkDefinition>;

const sourceVersion: z.ZodType<SourceVersion> = z.looseObject({
  version,
  definition: z.looseObject({
    type: z.enum(sourceTypes),
    name: text,
    description: text,
    settings,
  } satisfies FieldsOf<SourceDefinition>),
} satisfies FieldsOf<SourceVersion>);

const sinkVersion: z.ZodType<SinkVersion> = z.looseObject({
  version,
  definition: z.looseObject({
    type: z.literal('table'),
    name: text,
    description: text,
    allowedSignals: z.array(signal),
    table: z.looseObject({ type: z.literal(tableType), tableId, columns: z.array(column) }),
    settings,
  } satisfies FieldsOf<SinkDefinition>),
} satisfies FieldsOf<SinkVersion>);

/** Documents of collection `source-version`. */
export const sourceVersionDocuments = new DocumentKind<SourceVersion>({
  collection: 'source-version',
  schema: sourceVersion,
});

/** Documents of collection `sink-version`. */
export const sinkVersionDocuments = new DocumentKind<SinkVersion>({ collection: 'sink-version', schema: sinkVersion });
