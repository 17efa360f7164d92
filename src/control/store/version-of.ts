import {
  sinkDefinitionFields,
  sinkVersionDocuments,
  sourceDefinitionFields,
  sourceVersionDocuments,
} from '../../documents/version-document.ts';
import { createHash } from 'node:crypto';
import { sinkVersionId, sourceVersionId } from '../../documents/document-id.ts';
import type { SinkDefinition, SourceDefinition } from '../../documents/version-document.ts';
import { limits } from '../../core/limits.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source, Stamp, Version } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { putDocument } from '../../documents/change-document.ts';

/** What a version of a source keeps: everything that a rollback brings back, no secret. */
export function sourceDefinition(source: SourceDefinition): SourceDefinition {
  return fieldsOf(source, sourceDefinitionFields);
}

/** What a version of a sink keeps. */
export function sinkDefinition(sink: SinkDefinition): SinkDefinition {
  return fieldsOf(sink, sinkDefinitionFields);
}

/** Those of the fields that it has: an optional one that is absent stays so. */
function fieldsOf<Whole extends object, Field extends keyof Whole>(
  whole: Whole,
  fields: readonly Field[],
): Pick<Whole, Field> {
  const given = fields.filter((field) => whole[field] !== undefined).map((field) => [field, whole[field]]);
  return Object.fromEntries(given) as Pick<Whole, Field>;
}

export interface VersionNote {
  readonly description: string;
  readonly stamp: Stamp;
}

/** The version that follows `before`; 16 hexadecimal digits tell equal definitions. */
export function followingVersion(
  before: Version | undefined,
  definition: object,
  { description, stamp }: VersionNote,
): Version {
  const hash = createHash('sha256').update(canonical(definition)).digest('hex').slice(0, 16);
  return { number: (before?.number ?? 0) + 1, hash, description, at: stamp.at, by: stamp.by };
}

/** Refuses a change of an object that has as many versions as one may have. */
export function checkVersionLimit({ version }: { readonly version: Version }): void {
  if (version.number < limits.versionsPerObject) return;
  const message = `the object has ${version.number} versions, the limit is ${limits.versionsPerObject}`;
  throw new MillraceError('version.tooMany', message);
}

/** Keeps the definition of a source's version. Written before the source shows the version. */
export async function keepSourceVersion(catalog: Catalog, source: Source, options: Waiting): Promise<void> {
  const value = { version: source.version, definition: sourceDefinition(source) };
  await putDocument(
    catalog,
    { kind: sourceVersionDocuments, id: sourceVersionId(source, source.version.number), value },
    options,
  );
}

/** Keeps the definition of a sink's version. Written before the sink shows the version. */
export async function keepSinkVersion(catalog: Catalog, sink: Sink, options: Waiting): Promise<void> {
  const value = { version: sink.version, definition: sinkDefinition(sink) };
  await putDocument(
    catalog,
    { kind: sinkVersionDocuments, id: sinkVersionId(sink, sink.version.number), value },
    options,
  );
}

/** JSON with sorted keys and without empty values, so that equal definitions have equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    const kept = Object.entries(inner).filter(([, one]) => !isZero(one));
    return Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isZero(value: unknown): boolean {
  return value === undefined || value === '' || value === false || (Array.isArray(value) && value.length === 0);
}
