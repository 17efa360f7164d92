import { MillraceError } from '../../core/millrace-error.ts';
import { isObjectName } from '../checked-name.ts';
import { defaultPartBytes, leastPartBytes, type S3ObjectStoreOptions } from './config.ts';

/** Keys have at most 1,024 bytes, and the names of objects need theirs. */
const longestPrefix = 512;

/** What stands before every object name, with its "/"; `config.invalid` when it cannot be part of a key. */
export function keyPrefixOf({ keyPrefix = '' }: S3ObjectStoreOptions): string {
  if (keyPrefix === '') return '';
  const folder = keyPrefix.replace(/\/$/, '');
  if (folder.length <= longestPrefix && isObjectName(folder)) return `${folder}/`;
  throw new MillraceError(
    'config.invalid',
    `invalid key prefix "${keyPrefix}": expected parts of letters, digits, "." and "-" joined by "/", none with a first ` +
      `".", at most ${longestPrefix} characters in all`,
  );
}

/** Size of a part; `config.invalid` below what S3 takes. */
export function partBytesOf({ partBytes = defaultPartBytes }: S3ObjectStoreOptions): number {
  if (partBytes >= leastPartBytes) return partBytes;
  throw new MillraceError(
    'config.invalid',
    `invalid part size ${partBytes}: expected at least ${leastPartBytes} bytes, the least that S3 takes`,
  );
}
