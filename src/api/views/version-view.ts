import { z } from 'zod';
import type { KeptVersion, SinkDefinition, SourceDefinition } from '../../documents/version-document.ts';
import { limits } from '../../core/limits.ts';
import { sourceTypes } from '../../core/source.ts';
import { versionText } from '../../control/store/versions.ts';
import { pageSchema } from './page-view.ts';
import { sinkDefinitionSchema, sinkDefinitionView } from './sink-view.ts';
import { versionSchema, versionView } from './stamp-view.ts';

const settings = z
  .record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.array(z.string())]))
  .meta({ description: 'Overrides of settings at this level.' });

const definition = 'What a rollback to this version brings back.';

export const sourceVersionSchema = versionSchema
  .extend({
    definition: z
      .object({ type: z.enum(sourceTypes), name: z.string(), description: z.string(), settings })
      .meta({ description: definition }),
  })
  .meta({ id: 'SourceVersion' });

export const sinkVersionSchema = versionSchema
  .extend({ definition: sinkDefinitionSchema.extend({ settings }).meta({ description: definition }) })
  .meta({ id: 'SinkVersion' });

/** A version of a source with what it defined; secrets are never part of a version. */
export function sourceVersionView({
  version,
  definition: { type, name, description, settings: overrides },
}: KeptVersion<SourceDefinition>): z.input<typeof sourceVersionSchema> {
  return { ...versionView(version), definition: { type, name, description, settings: overridesView(overrides) } };
}

/** A version of a sink with what it defined. */
export function sinkVersionView({
  version,
  definition: sink,
}: KeptVersion<SinkDefinition>): z.input<typeof sinkVersionSchema> {
  return {
    ...versionView(version),
    definition: { ...sinkDefinitionView(sink), settings: overridesView(sink.settings) },
  };
}

type Overrides = z.input<typeof settings>;

function overridesView(overrides: SourceDefinition['settings']): Overrides {
  return Object.fromEntries(
    Object.entries(overrides).map(([key, value]) => [key, typeof value === 'object' ? [...value] : value]),
  );
}

export const versionListSchema = z
  .object({ page: pageSchema, versions: z.array(versionSchema) })
  .meta({ id: 'VersionList' });

export interface VersionPage {
  readonly versions: readonly KeptVersion<unknown>[];
  /** How many versions the object has. */
  readonly total: number;
  readonly query: { readonly afterId?: number | undefined; readonly limit?: number | undefined };
}

/** A page of versions; `totalCount` counts all of them (A14). */
export function versionListView({ versions, total, query }: VersionPage): z.input<typeof versionListSchema> {
  const last = versions.at(-1)?.version.number;
  return {
    page: {
      limit: query.limit ?? limits.listPage,
      totalCount: total,
      afterId: query.afterId === undefined ? '' : versionText(query.afterId),
      lastId: last === undefined ? '' : versionText(last),
    },
    versions: versions.map(({ version }) => versionView(version)),
  };
}
