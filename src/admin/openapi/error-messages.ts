import type { ApiErrorName } from '../errors/api-errors.ts';

/** What such a refusal says, by an example. */
export const errorMessages: Readonly<Partial<Record<ApiErrorName, string>>> = {
  missingField: '"name" is missing from body',
  missingPayload: 'missing required payload: the body must be a JSON object',
  decodePayload: 'the body is not valid JSON: unexpected end at byte 17',
  invalidFieldType: 'value of body.name must be a string but got 1',
  invalidEnumValue: 'value of body.type must be one of "http", "otlp" but got value "foo"',
  invalidLength: 'length of body.name must be greater or equal than 1 but got value "" (len=0)',
  invalidRange: '"limit" must be lesser or equal than 100 but got value 101',
  invalidFormat: 'invalid value of body.name: it holds the character U+0000',
  badRequest: 'invalid branch: expected "default" or <int>, given "x"',
  tableValidation: '"limit" must be an integer from 1 to 1000 but got value "0"',
  missingToken: 'access token must be set: send it as "X-StorageApi-Token" or as "Authorization: Bearer"',
  invalidToken: 'invalid access token',
  forbidden: 'only admin token can do write operations on streams',
  sourceNotFound: 'source "my-source" not found in the branch',
  sinkNotFound: 'sink "my-sink" not found in the source',
  taskNotFound: 'task "api.create.source/1/my-source/2026-11-21T18:00:00.000Z_a1b2c" not found',
  tokenNotFound: 'token "42" not found in the project',
  invalidPermissions:
    'invalid value {"in.c-shop":"read"} for body.bucketPermissions: a token has role "admin" or "readOnly", and this cannot be limited; leave the field out and choose a role',
  tokenCountLimitReached:
    'token count limit reached: the project has 1000 tokens, the maximum is 1000; delete those that nobody uses',
  tableNotFound: 'the table "in.c-shop.orders" was not found in the project',
  requestTimeout: 'the request took too long',
  sourceAlreadyExists: 'source "my-source" already exists in the branch',
  sinkAlreadyExists: 'sink "my-sink" already exists in the source',
  sourceCountLimitReached: 'source count limit reached in the branch, the maximum is 100',
  sinkCountLimitReached: 'sink count limit reached in the source, the maximum is 100',
  operationInProgress: 'another operation on the source "my-source" is running, wait for its task',
  sourceDisabled: 'the source "my-source" is disabled: enable it first',
  payloadTooLarge: 'request body size is over the maximum of 8388608 bytes',
  unsupportedMediaType: 'the body must be JSON: "Content-Type" is "text/plain", expected "application/json"',
  unprocessableContent: 'invalid value for column "id" of sink "my-sink": path "id" not found in the body',
  internalError: 'something went wrong on our side; the log tells more under the exception ID of this answer',
  serviceUnavailable: 'the catalog does not answer; nothing is known to have changed, try again',
};
