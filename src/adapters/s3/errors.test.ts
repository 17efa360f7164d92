import { S3ServiceException } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import { MillraceError } from '../../core/millrace-error.ts';
import { fromS3, isUnclear } from './errors.ts';

const answer = (httpStatusCode: number, name: string, message = 'said') =>
  new S3ServiceException({ name, message, $fault: 'client', $metadata: { httpStatusCode } });
const system = (code: string, message = '') => Object.assign(new Error(message), { code });

it.each([
  ['objects.notFound', 'clear', answer(404, 'NoSuchKey')],
  ['objects.notFound', 'clear', answer(404, 'NotFound', 'UnknownError')],
  ['objects.refused', 'clear', answer(404, 'NoSuchBucket')],
  ['objects.refused', 'clear', answer(404, 'SomethingElse')],
  ['objects.refused', 'clear', answer(403, 'AccessDenied')],
  ['objects.refused', 'clear', answer(400, 'ExpiredToken')],
  ['objects.refused', 'clear', answer(301, 'PermanentRedirect')],
  ['objects.refused', 'clear', answer(501, 'NotImplemented')],
  ['objects.refused', 'clear', system('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['input.invalid', 'clear', answer(400, 'KeyTooLongError')],
  ['objects.exists', 'unclear', answer(412, 'PreconditionFailed')],
  ['objects.unavailable', 'unclear', answer(409, 'ConditionalRequestConflict')],
  ['objects.unavailable', 'unclear', answer(404, 'NoSuchUpload')],
  ['objects.unavailable', 'unclear', answer(400, 'RequestTimeout')],
  ['objects.unavailable', 'unclear', answer(403, 'QuotaExceeded')],
  ['objects.unavailable', 'unclear', answer(500, 'InternalError')],
  ['objects.unavailable', 'unclear', answer(503, 'SlowDown')],
  ['objects.unavailable', 'unclear', system('ECONNRESET', 'aborted')],
  ['objects.unavailable', 'unclear', 'thrown as a text'],
] as const)('%s, %s: %s', (code, clarity, thrown) => {
  const error = fromS3(thrown, 'write the object "a"');
  expect(error).toMatchObject({ code, message: expect.stringMatching(/^cannot write the object "a": ./) as unknown });
  expect(isUnclear(thrown)).toBe(clarity === 'unclear');
});

it('says what is known where the driver has no message', () => {
  expect(fromS3(answer(403, '403', 'UnknownError'), 'look').message).toBe('cannot look: the store answers 403');
  expect(fromS3(system('ECONNREFUSED'), 'look').message).toBe('cannot look: ECONNREFUSED');
  const error = new MillraceError('objects.exists', 'taken');
  expect(fromS3(error, 'look')).toBe(error);
});
