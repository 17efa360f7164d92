import { z } from 'zod';
import { signals } from '../../../core/event.ts';
import { batchRequestOf } from '../../../events/split-events.ts';
import { testPayload } from '../../../control/reports/test-payload.ts';
import { maybe } from '../../schemas/field.ts';
import { sourcePath } from '../../schemas/path.ts';
import { testSchema } from '../../views/test-view.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourceKind } from './object-kind.ts';
import { defineRoute } from '../../route/route.ts';

const batchText = z.string().transform((text, context) => {
  const asked = batchRequestOf(text);
  if (typeof asked === 'string' || !('kind' in asked)) return asked;
  context.addIssue({ code: 'custom', params: { name: 'invalidFormat' }, message: asked.message });
  return z.NEVER;
});

const query = z.object({
  signal: maybe(z.enum(signals)).meta({ description: 'Of an OTLP source; default `logs`.' }),
  batch: maybe(batchText).meta({
    description:
      'As a sender would send it: how the body is split into events, `off`, `lines`, `array`, `auto`, or `path:PATH` for the elements of the array at a path.',
  }),
});

export const testSourceRoute = defineRoute({
  method: 'POST',
  path: `${sourceKind.path}/test`,
  access: 'read',
  operationId: 'testSource',
  summary: 'Show what every sink makes of the events of a payload, sent as a sender would send it; nothing is stored.',
  params: sourcePath,
  query,
  bodyKind: 'bytes',
  body: z.instanceof(Uint8Array),
  responses: {
    200: { description: 'Every column renders.', schema: testSchema },
    422: { description: 'A column cannot be rendered; the others are shown.', schema: testSchema },
  },
  handle: async ({ params, query: { signal: otlp = 'logs', batch }, body }, context, { headers, peer, signal }) => {
    const key = sourceKeyOf(params);
    const payload = {
      body: Buffer.from(body.buffer, body.byteOffset, body.length),
      headers,
      peer,
      signal: otlp,
      batch,
    };
    const rules = context.ingestRules;
    const { status, body: bytes } = await testPayload(context, { key, payload, rules }, { signal });
    return { kind: 'bytes', status, contentType: 'application/json', bytes };
  },
});
