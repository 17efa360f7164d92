import { readWhy } from '../../../control/reports/why/read-why.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { sinkPath } from '../../schemas/path.ts';
import { whySchema, whyView } from '../../views/why-view.ts';
import { defineRoute, ok } from '../../route/route.ts';
import { sinkKind } from './object-kind.ts';

export const sinkWhyRoute = defineRoute({
  method: 'GET',
  path: `${sinkKind.path}/why`,
  access: 'read',
  operationId: 'getSinkWhy',
  summary:
    'Say why rows of a sink are not in the table yet: what waits where, which trigger comes next, what failed and when it is tried again.',
  params: sinkPath,
  responses: { 200: { description: 'A verdict, and what it is made of.', schema: whySchema } },
  handle: async ({ params }, context, { signal }) => ok(whyView(await readWhy(context, sinkKeyOf(params), { signal }))),
});
