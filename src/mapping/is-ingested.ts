import { reservedHeaders } from '../core/event.ts';

/** Whether a record came through ingest, by its flat list of headers; else another Kafka producer wrote it. */
export function isIngested(headers: readonly string[]): boolean {
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length === reservedHeaders.id.length && name.toLowerCase() === reservedHeaders.id) return true;
  }
  return false;
}
