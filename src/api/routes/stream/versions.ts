import { limits } from '../../../core/limits.ts';
import { sinkPath, sourcePath } from '../../schemas/path.ts';
import { sinkVersionPath, sourceVersionPath, versionQuery } from '../../schemas/version-query.ts';
import { findVersion, listVersions, versionsOfSink, versionsOfSource } from '../../../control/store/versions.ts';
import {
  sinkVersionSchema,
  sinkVersionView,
  sourceVersionSchema,
  sourceVersionView,
  versionListSchema,
  versionListView,
} from '../../views/version-view.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineRoute, ok } from '../../route/route.ts';

const ofSource = '/v1/branches/{branchId}/sources/{sourceId}/versions';
const ofSink = '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/versions';

export const listSourceVersionsRoute = defineRoute({
  method: 'GET',
  path: ofSource,
  access: 'read',
  operationId: 'listSourceVersions',
  summary: 'List the versions of a source, ascending by number.',
  params: sourcePath,
  query: versionQuery,
  responses: { 200: { description: 'A page of versions.', schema: versionListSchema } },
  handle: async ({ params, query }, { definitions, catalog }, { signal }) => {
    const of = versionsOfSource(await definitions.source(sourceKeyOf(params), { signal }));
    const { afterId: after = 0, limit = limits.listPage } = query;
    const versions = await listVersions(catalog, { of, after, limit }, { signal });
    return ok(versionListView({ versions, total: of.newest, query }));
  },
});

export const getSourceVersionRoute = defineRoute({
  method: 'GET',
  path: `${ofSource}/{versionNumber}`,
  access: 'read',
  operationId: 'getSourceVersion',
  summary: 'Get a version of a source with what it defined.',
  params: sourceVersionPath,
  responses: { 200: { description: 'The version.', schema: sourceVersionSchema } },
  refuses: ['sourceVersionNotFound', 'invalidFieldType', 'invalidRange'],
  handle: async ({ params }, { definitions, catalog }, { signal }) => {
    const of = versionsOfSource(await definitions.source(sourceKeyOf(params), { signal }));
    return ok(sourceVersionView(await findVersion(catalog, { of, number: params.versionNumber }, { signal })));
  },
});

export const listSinkVersionsRoute = defineRoute({
  method: 'GET',
  path: ofSink,
  access: 'read',
  operationId: 'listSinkVersions',
  summary: 'List the versions of a sink, ascending by number.',
  params: sinkPath,
  query: versionQuery,
  responses: { 200: { description: 'A page of versions.', schema: versionListSchema } },
  handle: async ({ params, query }, { definitions, catalog }, { signal }) => {
    const of = versionsOfSink(await definitions.sink(sinkKeyOf(params), { signal }));
    const { afterId: after = 0, limit = limits.listPage } = query;
    const versions = await listVersions(catalog, { of, after, limit }, { signal });
    return ok(versionListView({ versions, total: of.newest, query }));
  },
});

export const getSinkVersionRoute = defineRoute({
  method: 'GET',
  path: `${ofSink}/{versionNumber}`,
  access: 'read',
  operationId: 'getSinkVersion',
  summary: 'Get a version of a sink with what it defined.',
  params: sinkVersionPath,
  responses: { 200: { description: 'The version.', schema: sinkVersionSchema } },
  refuses: ['sinkVersionNotFound', 'invalidFieldType', 'invalidRange'],
  handle: async ({ params }, { definitions, catalog }, { signal }) => {
    const of = versionsOfSink(await definitions.sink(sinkKeyOf(params), { signal }));
    return ok(sinkVersionView(await findVersion(catalog, { of, number: params.versionNumber }, { signal })));
  },
});
