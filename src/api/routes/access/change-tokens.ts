import { ApiError } from '../../errors/api-error.ts';
import { deleteToken, refreshToken, tokenOf } from '../../../control/operations/change-token.ts';
import { listBuckets } from '../../../control/store/buckets.ts';
import { createToken } from '../../../control/operations/create-token.ts';
import { tokenPath } from '../../schemas/path.ts';
import { createTokenBody } from '../../schemas/token-body.ts';
import { issuedTokenSchema, issuedTokenView, tokenSchema, tokenView } from '../../views/token-view.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';
import { tokenScope } from './token-rights.ts';

const all = '/v2/storage/tokens';
const one = `${all}/{tokenId}`;

export const createTokenRoute = defineChange({
  method: 'POST',
  path: all,
  access: 'write',
  operationId: 'createToken',
  summary: 'Create a token of role `admin`, `readOnly` or `limited`. Its text is in this answer and nowhere else.',
  body: createTokenBody,
  refuses: ['invalidPermissions', 'tokenCountLimitReached'],
  responses: { 201: { description: 'The token with its text.', schema: issuedTokenSchema } },
  handle: async ({ body }, context, { change, signal }) => {
    const { bucketPermissions = {} } = body;
    const namesSome = Object.keys(bucketPermissions).length > 0;
    const buckets = namesSome ? (await listBuckets(context, { signal })).map(({ bucketId }) => bucketId) : [];
    const scope = tokenScope(body, buckets);
    const { description = '', expiresIn } = body;
    const issued = await createToken(context, { scope, description, expiresIn, change }, { signal });
    return { kind: 'json', status: 201, body: issuedTokenView(issued, context.clock.now()) };
  },
});

export const getTokenRoute = defineRoute({
  method: 'GET',
  path: one,
  access: 'read',
  operationId: 'getToken',
  summary: 'Get a token, without its text.',
  params: tokenPath,
  responses: { 200: { description: 'The token.', schema: tokenSchema } },
  handle: async ({ params: { tokenId } }, context, { signal }) =>
    ok(tokenView(await tokenOf(context, tokenId, { signal }), context.clock.now())),
});

export const refreshTokenRoute = defineChange({
  method: 'POST',
  path: `${one}/refresh`,
  access: 'token',
  operationId: 'refreshToken',
  summary:
    'Replace the text of a token: the one before is refused at once. Any token may refresh itself, an admin token all others.',
  params: tokenPath,
  refuses: ['forbidden'],
  responses: { 200: { description: 'The token with its new text.', schema: issuedTokenSchema } },
  handle: async ({ params: { tokenId } }, context, { token: caller, change, signal }) => {
    if (caller === undefined) throw new ApiError('missingToken', 'access token must be set');
    return ok(
      issuedTokenView(await refreshToken(context, { tokenId, caller, change }, { signal }), context.clock.now()),
    );
  },
});

export const deleteTokenRoute = defineChange({
  method: 'DELETE',
  path: one,
  access: 'write',
  operationId: 'deleteToken',
  summary: 'Delete a token: it is refused at once.',
  params: tokenPath,
  responses: { 204: { description: 'It is gone.' } },
  handle: async ({ params: { tokenId } }, context, { change, signal }) => {
    await deleteToken(context, { tokenId, change }, { signal });
    return { kind: 'empty', status: 204 };
  },
});
