import { S3ServiceException } from '@aws-sdk/client-s3';
import type { ErrorCode } from '../../core/error-catalogue.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';

/** The name that the server, the driver or the operating system has for the failure: `NoSuchKey`, `ECONNREFUSED` …. */
export function s3ErrorName(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  if (thrown instanceof S3ServiceException) return thrown.name;
  if ('code' in thrown && typeof thrown.code === 'string') return thrown.code;
  return thrown.name === 'Error' ? undefined : thrown.name;
}

/** Status of the answer; undefined when there was none. */
export function s3Status(thrown: unknown): number | undefined {
  return thrown instanceof S3ServiceException ? thrown.$metadata.httpStatusCode : undefined;
}

/** What the driver threw while it did `action` ("write the object a/b"), as an error of the product. */
export function fromS3(thrown: unknown, action: string): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  const name = s3ErrorName(thrown);
  const status = s3Status(thrown);
  const advice = name === undefined ? undefined : advices[name];
  const text = `cannot ${action}: ${reasonOf(thrown, name, status)}${advice === undefined ? '' : `; ${advice}`}`;
  return new MillraceError(codeOf(name, status), text, { cause: thrown, details: { name, status } });
}

/** True when the failure does not say whether the request took effect, or says that the name was taken meanwhile. */
export function isUnclear(thrown: unknown): boolean {
  if (thrown instanceof MillraceError) return false;
  const code = codeOf(s3ErrorName(thrown), s3Status(thrown));
  return code === 'objects.unavailable' || code === 'objects.exists';
}

function codeOf(name: string | undefined, status: number | undefined): ErrorCode {
  if (name !== undefined) {
    const known = codes[name];
    if (known !== undefined) return known;
    if (isCertificateError(name)) return 'objects.refused';
  }
  if (status === undefined || status < 300 || status >= 500) {
    return status === 501 ? 'objects.refused' : 'objects.unavailable';
  }
  return statuses[status] ?? 'objects.refused';
}

/** By the name of the failure, where it says more than the status. */
const codes: Readonly<Record<string, ErrorCode>> = {
  NoSuchKey: 'objects.notFound',
  // The answer to HEAD, which has no name for what is missing.
  NotFound: 'objects.notFound',
  NoSuchBucket: 'objects.refused',
  KeyTooLongError: 'input.invalid',
  // A server on a file system: the name is a folder of other objects, or lies inside of another object.
  ExistingObjectIsDirectory: 'objects.exists',
  ObjectParentIsFile: 'objects.exists',
  XMinioParentIsObject: 'objects.exists',
  XMinioObjectExistsAsDirectory: 'objects.exists',
  ConditionalRequestConflict: 'objects.unavailable',
  OperationAborted: 'objects.unavailable',
  NoSuchUpload: 'objects.unavailable',
  InvalidPart: 'objects.unavailable',
  // Damage or a pause on the way.
  BadDigest: 'objects.unavailable',
  IncompleteBody: 'objects.unavailable',
  RequestTimeout: 'objects.unavailable',
  XAmzContentSHA256Mismatch: 'objects.unavailable',
  // No space.
  QuotaExceeded: 'objects.unavailable',
  XMinioStorageFull: 'objects.unavailable',
  CredentialsProviderError: 'objects.refused',
  NotImplemented: 'objects.refused',
};

const statuses: Readonly<Record<number, ErrorCode>> = {
  408: 'objects.unavailable',
  409: 'objects.unavailable',
  412: 'objects.exists',
  429: 'objects.unavailable',
};

const advices: Readonly<Record<string, string>> = {
  NoSuchBucket: 'create the bucket or correct its name',
  InvalidAccessKeyId: 'correct the access key id',
  XAdminUserNotFound: 'correct the access key id',
  SignatureDoesNotMatch: 'correct the secret access key',
  InvalidToken: 'correct the session token',
  ExpiredToken: 'renew the credentials',
  CredentialsProviderError: 'give credentials in the configuration or where the AWS SDK looks for them',
  AccessDenied: 'give these credentials the rights to list, read, write and delete in the bucket',
  RequestTimeTooSkewed: 'set the clock of this machine',
  PermanentRedirect: 'correct the region or the endpoint',
  AuthorizationHeaderMalformed: 'correct the region',
  NotImplemented: 'the store must know conditional puts (If-None-Match)',
  ObjectParentIsFile: 'a part of the name is taken by another object',
  ExistingObjectIsDirectory: 'the name is a folder of other objects',
};

function isCertificateError(name: string): boolean {
  return name.startsWith('ERR_TLS_CERT') || /CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER/.test(name);
}

function reasonOf(thrown: unknown, name: string | undefined, status: number | undefined): string {
  if (name !== undefined && isCertificateError(name)) return `${name}: the certificate is not trusted`;
  const said = messageOf(thrown);
  const isEmpty = said === '' || said === 'UnknownError';
  if (isEmpty && status !== undefined) return `the store answers ${status}`;
  if (isEmpty) return name ?? 'unknown reason';
  return name === undefined || said.includes(name) ? said : `${name}: ${said}`;
}
