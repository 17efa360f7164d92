import { limits } from '../core/limits.ts';
import { formatByteSize } from '../core/settings/byte-size.ts';
import { refusal, type Refusal } from './refusal.ts';

export function bodyTooLarge(maxBytes: number): Refusal {
  return refusal('tooLarge', 'bodyTooLarge', `Request body size is over the maximum "${formatByteSize(maxBytes)}".`);
}

/** Why a request has too many headers; undefined: it has not. */
export function tooManyHeaders(rawHeaders: readonly string[]): Refusal | undefined {
  const count = rawHeaders.length / 2;
  if (count <= limits.headersPerRequest) return undefined;
  const message = `The request has ${count} headers, over the maximum ${limits.headersPerRequest}.`;
  return refusal('tooLarge', 'tooManyHeaders', message);
}
