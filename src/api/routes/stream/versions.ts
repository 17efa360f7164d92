import type { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import {
  findVersion,
  listVersions,
  versionsOfSink,
  versionsOfSource,
  type VersionsOf,
} from '../../../control/store/versions.ts';
import type { KeptVersion } from '../../../documents/version-document.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import type { ApiErrorName } from '../../errors/api-errors.ts';
import { sinkVersionPath, sourceVersionPath, versionQuery } from '../../schemas/version-query.ts';
import {
  sinkVersionSchema,
  sinkVersionView,
  sourceVersionSchema,
  sourceVersionView,
  versionListSchema,
  versionListView,
} from '../../views/version-view.ts';
import { defineRoute, ok, type Route } from '../../route/route.ts';
import { sinkKind, sourceKind, type ObjectKind } from './object-kind.ts';

interface VersionRoutes<Path, Key, Definition> {
  readonly kind: ObjectKind<Path, Key>;
  /** As it stands in a sentence. */
  readonly word: string;
  readonly numbered: z.ZodType<Path & { readonly versionNumber: number }>;
  readonly schema: z.ZodType;
  readonly notFound: ApiErrorName;
  readonly versionsOf: (context: ApiContext, key: Key, options: Waiting) => Promise<VersionsOf<Definition>>;
  readonly view: (version: KeptVersion<Definition>) => object;
}

/** The two routes that read versions, of one kind of object. */
function versionRoutes<Path, Key, Definition>(of: VersionRoutes<Path, Key, Definition>) {
  return { list: listRoute(of), get: getRoute(of) };
}

function listRoute<Path, Key, Definition>(of: VersionRoutes<Path, Key, Definition>): Route {
  const { kind, word, versionsOf } = of;
  return defineRoute({
    method: 'GET',
    path: `${kind.path}/versions`,
    access: 'read',
    operationId: `list${kind.name}Versions`,
    summary: `List the versions of a ${word}, ascending by number.`,
    params: kind.params,
    query: versionQuery,
    responses: { 200: { description: 'A page of versions.', schema: versionListSchema } },
    handle: async ({ params, query }, context, { signal }) => {
      const kept = await versionsOf(context, kind.keyOf(params), { signal });
      const { afterId: after = 0, limit = limits.listPage } = query;
      const versions = await listVersions(context.catalog, { of: kept, after, limit }, { signal });
      return ok(versionListView({ versions, total: kept.newest, query }));
    },
  });
}

function getRoute<Path, Key, Definition>(of: VersionRoutes<Path, Key, Definition>): Route {
  const { kind, word, numbered, schema, notFound, versionsOf, view } = of;
  return defineRoute({
    method: 'GET',
    path: `${kind.path}/versions/{versionNumber}`,
    access: 'read',
    operationId: `get${kind.name}Version`,
    summary: `Get a version of a ${word} with what it defined.`,
    params: numbered,
    responses: { 200: { description: 'The version.', schema } },
    refuses: [notFound, 'invalidFieldType', 'invalidRange'],
    handle: async ({ params }, context, { signal }) => {
      const kept = await versionsOf(context, kind.keyOf(params), { signal });
      return ok(view(await findVersion(context.catalog, { of: kept, number: params.versionNumber }, { signal })));
    },
  });
}

const ofSource = versionRoutes({
  kind: sourceKind,
  word: 'source',
  numbered: sourceVersionPath,
  schema: sourceVersionSchema,
  notFound: 'sourceVersionNotFound',
  versionsOf: async ({ definitions }, key, options) => versionsOfSource(await definitions.source(key, options)),
  view: sourceVersionView,
});

const ofSink = versionRoutes({
  kind: sinkKind,
  word: 'sink',
  numbered: sinkVersionPath,
  schema: sinkVersionSchema,
  notFound: 'sinkVersionNotFound',
  versionsOf: async ({ definitions }, key, options) => versionsOfSink(await definitions.sink(key, options)),
  view: sinkVersionView,
});

export const { list: listSourceVersionsRoute, get: getSourceVersionRoute } = ofSource;
export const { list: listSinkVersionsRoute, get: getSinkVersionRoute } = ofSink;
