import { sourcePath } from '../../schemas/path.ts';
import { sourceSchema, sourceView } from '../../views/source-view.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourceKind } from './object-kind.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const getSourceRoute = defineRoute({
  method: 'GET',
  path: sourceKind.path,
  access: 'read',
  operationId: 'getSource',
  summary: 'Get a source, with the address that senders use.',
  params: sourcePath,
  responses: { 200: { description: 'The source.', schema: sourceSchema } },
  handle: async ({ params }, { definitions, addresses }, { signal }) =>
    ok(sourceView(await definitions.source(sourceKeyOf(params), { signal }), addresses)),
});
