import type { NewRecord, RecordRun } from '../../../ports/event-log.ts';

/** No UTF-16 unit takes more bytes than this in UTF-8. */
const mostBytesPerUnit = 3;

const none: readonly string[] = [];

/** Sizes of the records of an append. */
export class RecordSizes {
  #shared: readonly string[] = none;
  #sharedUnits = 0;

  /**
   * Bytes of value and headers; an upper bound when that is within `limit`, because counting the bytes of every header
   * exactly would cost more than encoding it.
   */
  of({ value, headers, sharedHeaders = none }: NewRecord, limit: number): number {
    if (sharedHeaders !== this.#shared) {
      this.#shared = sharedHeaders;
      this.#sharedUnits = unitsOf(sharedHeaders);
    }
    const most = value.length + (unitsOf(headers) + this.#sharedUnits) * mostBytesPerUnit;
    return most <= limit ? most : value.length + bytesOf(headers) + bytesOf(sharedHeaders);
  }
}

function unitsOf(texts: readonly string[]): number {
  let units = 0;
  for (const text of texts) units += text.length;
  return units;
}

function bytesOf(texts: readonly string[]): number {
  let bytes = 0;
  for (const text of texts) bytes += Buffer.byteLength(text);
  return bytes;
}

/** An upper bound for the headers of each record of a run. */
export function mostHeaderBytes({ firstHeader: { name, valueBytes }, sharedHeaders }: RecordRun): number {
  return (name.length + valueBytes + unitsOf(sharedHeaders)) * mostBytesPerUnit;
}
