import { z } from 'zod';
import type { Sink } from '../sink.ts';
import { sourceTypes, type Source, type Version } from '../source.ts';
import { column, settings, signal, tableId, text, version } from './fields.ts';
import { parseDocument } from './parse-document.ts';

/** What a version of a source keeps: everything that a rollback brings back, no secret. */
export type SourceDefinition = Pick<Source, 'type' | 'name' | 'description' | 'settings'>;

/** What a version of a sink keeps. */
export type SinkDefinition = Pick<Sink, 'type' | 'name' | 'description' | 'allowedSignals' | 'table' | 'settings'>;

/** A document of the collections `source-version` and `sink-version`; written before the object shows the version. */
export interface KeptVersion<Definition> {
  readonly version: Version;
  readonly definition: Definition;
}

export type SourceVersion = KeptVersion<SourceDefinition>;
export type SinkVersion = KeptVersion<SinkDefinition>;

const sourceVersion: z.ZodType<SourceVersion> = z.object({
  version,
  definition: z.object({ type: z.enum(sourceTypes), name: text, description: text, settings }),
});

const sinkVersion: z.ZodType<SinkVersion> = z.object({
  version,
  definition: z.object({
    type: z.literal('table'),
    name: text,
    description: text,
    allowedSignals: z.array(signal),
    table: z.object({ type: z.literal('keboola'), tableId, columns: z.array(column) }),
    settings,
  }),
});

/** A document of collection `source-version`; another shape is `catalog.invalidDocument`. */
export function parseSourceVersionDocument(value: unknown): SourceVersion {
  return parseDocument('source-version', sourceVersion, value);
}

/** A document of collection `sink-version`; another shape is `catalog.invalidDocument`. */
export function parseSinkVersionDocument(value: unknown): SinkVersion {
  return parseDocument('sink-version', sinkVersion, value);
}
