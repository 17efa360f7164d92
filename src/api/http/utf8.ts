import { ApiError } from '../errors/api-error.ts';

/** The text of a body; refused when it is not UTF-8. A byte order mark at its start is none of it. */
export function utf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch (thrown) {
    throw new ApiError('decodePayload', 'the body is not valid UTF-8', { cause: thrown });
  }
}
