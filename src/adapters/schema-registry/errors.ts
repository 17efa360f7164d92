import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { systemCode } from '../system-code.ts';

/** What a request to the registry failed with, as an error of the product. */
export function fromRegistry(thrown: unknown): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  const code = systemCode(thrown) ?? '';
  const text = messageOf(thrown);
  if (certificateFault.test(code)) {
    const message = `the certificate of the schema registry is not trusted (${text}); give its authority in "caFile"`;
    return new MillraceError('schemas.refused', message, { cause: thrown });
  }
  return new MillraceError('schemas.unavailable', `the schema registry does not answer: ${text}`, { cause: thrown });
}

const certificateFault = /^(CERT_|ERR_TLS_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_)/;

/** What an answer other than 200 means, when it is not that there is no such schema. */
export function refusedAnswer(status: number, path: string): MillraceError {
  switch (true) {
    case status === 401 || status === 403:
      return new MillraceError(
        'schemas.refused',
        `the schema registry answers ${status} to GET ${path}: correct user and password, or give the user the right to read`,
      );
    case status >= 500 || status === 408 || status === 429:
      return new MillraceError('schemas.unavailable', `the schema registry answers ${status} to GET ${path}`);
    default:
      return notARegistry(`it answers ${status} to GET ${path}`);
  }
}

/** What is at the URL does not talk like a registry. */
export function notARegistry(why: string): MillraceError {
  return new MillraceError(
    'schemas.refused',
    `there is no schema registry at the URL: ${why}; give the base of Confluent's API, for example https://registry:8081`,
  );
}

/** What came of registering a schema. What the registry says of the schema is for who wrote it. */
export function refusedSchema(thrown: unknown): MillraceError {
  const status = thrown instanceof Error && 'status' in thrown ? Number(thrown.status) : undefined;
  const text = messageOf(thrown).replace(/^\S+ - /, '');
  if (status === undefined && thrown instanceof Error && thrown.name.startsWith('ConfluentSchemaRegistry'))
    return new MillraceError('input.invalid', `the schema cannot be used: ${text}`, { cause: thrown });
  if (status === 409 || status === 422)
    return new MillraceError('input.invalid', `the schema registry refuses the schema (${status}): ${text}`, {
      cause: thrown,
    });
  if (status === 401 || status === 403)
    return new MillraceError(
      'schemas.refused',
      `the schema registry answers ${status} to a schema: give the user the right to register it`,
    );
  return fromRegistry(thrown);
}
