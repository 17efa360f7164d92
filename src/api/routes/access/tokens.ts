import { z } from 'zod';
import { ApiError } from '../../errors/api-error.ts';
import { tokenSchema, tokenView, verifiedTokenSchema, verifiedTokenView } from '../../views/token-view.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const verifyTokenRoute = defineRoute({
  method: 'GET',
  path: '/v2/storage/tokens/verify',
  access: 'token',
  operationId: 'verifyToken',
  summary: 'Tell what the token of the call may do.',
  responses: { 200: { description: 'The token, without its text.', schema: verifiedTokenSchema } },
  handle: async (_, { addresses: { projectId }, clock }, { token }) => {
    if (token === undefined) throw new ApiError('missingToken', 'access token must be set');
    return ok(verifiedTokenView(token, { projectId, now: clock.now() }));
  },
});

export const listTokensRoute = defineRoute({
  method: 'GET',
  path: '/v2/storage/tokens',
  access: 'read',
  operationId: 'listTokens',
  summary: 'List the tokens of the project, those of the sinks included, without their texts.',
  responses: { 200: { description: 'Tokens by number.', schema: z.array(tokenSchema) } },
  handle: async (_, { tokens, clock }, { signal }) =>
    ok((await tokens.list({ signal })).map((token) => tokenView(token, clock.now()))),
});
