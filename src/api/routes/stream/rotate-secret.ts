import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { rotateSecret } from '../../../control/operations/rotate-secret.ts';
import { durationText, maybe } from '../../schemas/field.ts';
import { sourcePath } from '../../schemas/path.ts';
import { sourceSchema, sourceView } from '../../views/source-view.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourceKind } from './object-kind.ts';
import { defineChange, ok } from '../../route/route.ts';

const query = z.object({
  overlap: maybe(durationText({ name: 'overlap', minMs: 0, maxMs: limits.secretOverlapMs })).meta({
    description: 'How long the secret that is replaced stays valid beside the new one; none when absent.',
    example: '24h',
  }),
});

export const rotateSecretRoute = defineChange({
  method: 'POST',
  path: `${sourceKind.path}/rotate-secret`,
  access: 'write',
  operationId: 'rotateSecret',
  summary: 'Give a source a new secret; the one before stops at once, or after the overlap.',
  params: sourcePath,
  query,
  responses: { 200: { description: 'The source, with its new address.', schema: sourceSchema } },
  refuses: ['versionCountLimitReached'],
  handle: async ({ params, query: { overlap = 0 } }, context, { change, signal }) => {
    const rotation = { key: sourceKeyOf(params), overlapMs: overlap, change };
    return ok(sourceView(await rotateSecret(context, rotation, { signal }), context.addresses));
  },
});
