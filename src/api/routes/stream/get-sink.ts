import { sinkPath } from '../../schemas/path.ts';
import { sinkSchema, sinkView } from '../../views/sink-view.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { sinkKind } from './object-kind.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const getSinkRoute = defineRoute({
  method: 'GET',
  path: sinkKind.path,
  access: 'read',
  operationId: 'getSink',
  summary: 'Get a sink.',
  params: sinkPath,
  responses: { 200: { description: 'The sink.', schema: sinkSchema } },
  handle: async ({ params }, { definitions, addresses }, { signal }) =>
    ok(sinkView(await definitions.sink(sinkKeyOf(params), { signal }), addresses.projectId)),
});
