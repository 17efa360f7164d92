import type { NewRecord } from '../../../ports/event-log.ts';

/** No UTF-16 unit takes more bytes than this in UTF-8. */
const mostBytesPerUnit = 3;

/**
 * Bytes of value and headers; an upper bound when that is within `limit`, because counting the bytes of every header
 * exactly would cost more than encoding it.
 */
export function recordBytes({ value, headers }: NewRecord, limit: number): number {
  let units = 0;
  for (const text of headers) units += text.length;
  const most = value.length + units * mostBytesPerUnit;
  if (most <= limit) return most;
  let bytes = value.length;
  for (const text of headers) bytes += Buffer.byteLength(text);
  return bytes;
}
