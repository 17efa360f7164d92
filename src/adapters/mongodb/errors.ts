import { MongoError, MongoServerError } from 'mongodb';
import { type ErrorDetails, isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';

const duplicateKey = 11_000;

/** True when a document with this `_id` is there already. */
export function isDuplicateKey(thrown: unknown): boolean {
  return thrown instanceof MongoServerError && thrown.code === duplicateKey;
}

/** True when the server was there and said no to the user or its rights: the same fails until somebody mends it. */
export function isRefusedByMongodb(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  return thrown instanceof MongoError ? thrown.code === 18 || thrown.code === 13 : isRefusedByMongodb(thrown.cause);
}

/**
 * What the driver or the server threw, as `catalog.unavailable`: after a write it may have happened. A cancellation and a
 * MillraceError come back as they are. A refused password and a missing right are among them: somebody mends them at
 * the server, and the next call succeeds.
 */
export function fromMongodb(thrown: unknown, details: ErrorDetails = {}): Error {
  if (thrown instanceof Error && (thrown instanceof MillraceError || isCancellation(thrown))) return thrown;
  const code = thrown instanceof MongoError ? thrown.code : undefined;
  const message = `MongoDB: ${reasonOf(thrown, code)}`;
  return new MillraceError('catalog.unavailable', message, { cause: thrown, details: { ...details, code } });
}

function reasonOf(thrown: unknown, code: string | number | undefined): string {
  const text = messageOf(thrown);
  switch (code) {
    case 18:
      return `the server refuses the user or the password (${text}); correct the URL or the server's user`;
    case 13:
      return `a right is missing (${text}); grant readWrite on the database to the user of the URL`;
    case 123:
      return `the server is no member of a replica set (${text}); make it one, a single member is enough`;
    default:
      return text;
  }
}
