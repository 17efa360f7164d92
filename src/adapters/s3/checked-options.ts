import { MillraceError } from '../../core/millrace-error.ts';
import { defaultPartBytes, leastPartBytes, type S3ObjectStoreOptions } from './config.ts';

/** Options that can be right, with what follows from them. */
export interface CheckedOptions {
  readonly options: S3ObjectStoreOptions;
  /** Empty, or with a "/" at its end. */
  readonly keyPrefix: string;
  readonly partBytes: number;
}

/** Keys have at most 1,024 bytes, and the names of objects need theirs. */
const longestPrefix = 512;

/** What cannot be right is `config.invalid`. */
export function checkedOptions(options: S3ObjectStoreOptions): CheckedOptions {
  const { bucket, endpoint, keyPrefix = '', partBytes = defaultPartBytes } = options;
  if (!/^[\w.-]{3,255}$/.test(bucket)) {
    throw invalid('bucket', bucket, 'at least 3 letters, digits, ".", "_" and "-"');
  }
  if (endpoint !== undefined && !/^https?:$/.test(URL.parse(endpoint)?.protocol ?? '')) {
    throw invalid('endpoint', endpoint, 'a URL that begins with http:// or https://');
  }
  const folder = keyPrefix.replace(/\/$/, '');
  if (folder.length > longestPrefix || !/^([\w-][\w.-]*(\/|$))*$/.test(folder)) {
    const parts = 'parts of letters, digits, ".", "_" and "-" joined by "/", none with a first "."';
    throw invalid('key prefix', keyPrefix, `${parts}, at most ${longestPrefix} characters in all`);
  }
  if (!Number.isSafeInteger(partBytes) || partBytes < leastPartBytes) {
    throw invalid('part size', partBytes, `at least ${leastPartBytes} bytes, the least that S3 takes`);
  }
  return { options, keyPrefix: folder === '' ? '' : `${folder}/`, partBytes };
}

function invalid(what: string, value: string | number, rule: string): MillraceError {
  return new MillraceError('config.invalid', `invalid ${what} "${value}" of the staging store: expected ${rule}`);
}
