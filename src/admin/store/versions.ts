import { sinkPrefix, sinkVersionId, sourcePrefix, sourceVersionId } from '../../core/documents/document-id.ts';
import {
  parseSinkVersionDocument,
  parseSourceVersionDocument,
  type KeptVersion,
  type SinkDefinition,
  type SourceDefinition,
} from '../../core/documents/version-document.ts';
import type { Sink } from '../../core/sink.ts';
import type { Source } from '../../core/source.ts';
import type { Catalog, Collection } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { ApiError } from '../errors/api-error.ts';

/** Where the versions of one object are kept, numbered from 1 without gaps. */
export interface VersionsOf<Definition> {
  readonly collection: Collection;
  readonly prefix: string;
  /** The version that the object shows; what is kept beyond it belongs to a change that did not get further. */
  readonly newest: number;
  readonly idOf: (number: number) => string;
  readonly parse: (value: unknown) => KeptVersion<Definition>;
  readonly missing: (number: number) => ApiError;
}

export function versionsOfSource(source: Source): VersionsOf<SourceDefinition> {
  return {
    collection: 'source-version',
    prefix: sourcePrefix(source),
    newest: source.version.number,
    idOf: (number) => sourceVersionId(source, number),
    parse: parseSourceVersionDocument,
    missing: (number) => {
      const name = `${source.sourceId}/${versionText(number)}`;
      return new ApiError('sourceVersionNotFound', `source version "${name}" not found in the branch`);
    },
  };
}

export function versionsOfSink(sink: Sink): VersionsOf<SinkDefinition> {
  return {
    collection: 'sink-version',
    prefix: sinkPrefix(sink),
    newest: sink.version.number,
    idOf: (number) => sinkVersionId(sink, number),
    parse: parseSinkVersionDocument,
    missing: (number) => {
      const name = `${sink.sinkId}/${versionText(number)}`;
      return new ApiError('sinkVersionNotFound', `sink version "${name}" not found in the source`);
    },
  };
}

/** A version's number as lists and messages show it: ten digits. */
export function versionText(number: number): string {
  return String(number).padStart(10, '0');
}

/** A version; `sourceVersionNotFound` or `sinkVersionNotFound`. */
export async function findVersion<Definition>(
  catalog: Catalog,
  { of, number }: { readonly of: VersionsOf<Definition>; readonly number: number },
  options: Waiting,
): Promise<KeptVersion<Definition>> {
  const found = number > of.newest ? undefined : await catalog.get(of.collection, of.idOf(number), options);
  if (found === undefined) throw of.missing(number);
  return of.parse(found.value);
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
  const { collection, prefix } = of;
  const found = await catalog.list({ collection, prefix, after: of.idOf(after), limit }, options);
  return found.map(({ value }) => of.parse(value));
}
