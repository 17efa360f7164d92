import { sinkPrefix, sinkVersionId, sourcePrefix, sourceVersionId } from '../../documents/document-id.ts';
import {
  sinkVersionDocuments,
  sourceVersionDocuments,
  type KeptVersion,
  type SinkDefinition,
  type SourceDefinition,
} from '../../documents/version-document.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { DocumentKind } from '../../documents/document-kind.ts';
import { readDocument } from '../../documents/read-document.ts';
import { MillraceError } from '../../core/millrace-error.ts';

/** Where the versions of one object are kept, numbered from 1 without gaps. */
export interface VersionsOf<Definition> {
  readonly kind: DocumentKind<KeptVersion<Definition>>;
  readonly prefix: string;
  /** The version that the object shows; what is kept beyond it belongs to a change that did not get further. */
  readonly newest: number;
  readonly idOf: (number: number) => string;
  readonly missing: (number: number) => MillraceError;
}

export function versionsOfSource(source: Source): VersionsOf<SourceDefinition> {
  return {
    kind: sourceVersionDocuments,
    prefix: sourcePrefix(source),
    newest: source.version.number,
    idOf: (number) => sourceVersionId(source, number),
    missing: (number) => {
      const name = `${source.sourceId}/${versionText(number)}`;
      return new MillraceError('source.versionNotFound', `source version "${name}" not found in the branch`);
    },
  };
}

export function versionsOfSink(sink: Sink): VersionsOf<SinkDefinition> {
  return {
    kind: sinkVersionDocuments,
    prefix: sinkPrefix(sink),
    newest: sink.version.number,
    idOf: (number) => sinkVersionId(sink, number),
    missing: (number) => {
      const name = `${sink.sinkId}/${versionText(number)}`;
      return new MillraceError('sink.versionNotFound', `sink version "${name}" not found in the source`);
    },
  };
}

/** A version's number as lists and messages show it: ten digits. */
export function versionText(number: number): string {
  return String(number).padStart(10, '0');
}

/** A version; `source.versionNotFound` or `sink.versionNotFound`. */
export async function findVersion<Definition>(
  catalog: Catalog,
  { of, number }: { readonly of: VersionsOf<Definition>; readonly number: number },
  options: Waiting,
): Promise<KeptVersion<Definition>> {
  const { kind, idOf, newest } = of;
  const found = number > newest ? undefined : await readDocument(catalog, { kind, id: idOf(number) }, options);
  if (found === undefined) throw of.missing(number);
  return found.value;
}

/** At most `limit` versions after number `after`, ascending. */
export async function listVersions<Definition>(
  catalog: Catalog,
  query: { readonly of: VersionsOf<Definition>; readonly after: number; readonly limit: number },
  options: Waiting,
): Promise<readonly KeptVersion<Definition>[]> {
  const { of, after } = query;
  const limit = Math.min(query.limit, of.newest - after);
  if (limit <= 0) return [];
  const { kind, prefix } = of;
  const found = await catalog.list({ collection: kind.collection, prefix, after: of.idOf(after), limit }, options);
  return found.map(({ id, value }) => kind.parse(value, id));
}
