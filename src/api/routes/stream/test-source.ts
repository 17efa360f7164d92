import { z } from 'zod';
import { signals } from '../../../core/event.ts';
import { testPayload } from '../../../control/reports/test-payload.ts';
import { maybe } from '../../schemas/field.ts';
import { sourcePath } from '../../schemas/path.ts';
import { testSchema, testView } from '../../views/test-view.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourceKind } from './object-kind.ts';
import { defineRoute } from '../../route/route.ts';

const query = z.object({ signal: maybe(z.enum(signals)).meta({ description: 'Of an OTLP source; default `logs`.' }) });

export const testSourceRoute = defineRoute({
  method: 'POST',
  path: `${sourceKind.path}/test`,
  access: 'read',
  operationId: 'testSource',
  summary: 'Show what every sink makes of a payload, sent as a sender would send it; nothing is stored.',
  params: sourcePath,
  query,
  bodyKind: 'bytes',
  body: z.instanceof(Uint8Array),
  responses: {
    200: { description: 'Every column renders.', schema: testSchema },
    422: { description: 'A column cannot be rendered; the others are shown.', schema: testSchema },
  },
  handle: async ({ params, query: { signal: otlp = 'logs' }, body }, context, { headers, peer, signal }) => {
    const key = sourceKeyOf(params);
    const payload = { body, headers, peer, signal: otlp };
    const tested = await testPayload(context, { key, payload, proxies: context.proxies }, { signal });
    const view = testView(tested, { ...key, projectId: context.addresses.projectId });
    return { kind: 'json', status: view.statusCode ?? 200, body: view };
  },
});
