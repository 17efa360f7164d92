import { reservedHeaders } from '../../core/event.ts';

/** What the product says about an event, in front of its headers. */
export interface EventMarks {
  readonly id: string;
  readonly remoteAddress: string;
  /** Absent: Content-Type says it. */
  readonly format: 'json' | 'form' | 'none' | undefined;
}

/** Headers of a record: the product's own, then the client's. */
export function recordHeaders({ id, remoteAddress, format }: EventMarks, clientHeaders: readonly string[]): string[] {
  const marks =
    format === undefined
      ? [reservedHeaders.id, id, reservedHeaders.remoteAddress, remoteAddress]
      : [reservedHeaders.id, id, reservedHeaders.remoteAddress, remoteAddress, reservedHeaders.format, format];
  return marks.concat(clientHeaders);
}

/**
 * The client's headers as received, a flat list, without those of reserved names and, when a header authenticated the
 * request, without that one.
 */
export function clientHeaders(raw: readonly string[], authorization: string | undefined): readonly string[] {
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (isDropped(raw, at, authorization)) return without(raw, authorization);
  }
  return raw;
}

function without(raw: readonly string[], authorization: string | undefined): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    if (!isDropped(raw, at, authorization)) kept.push(raw[at] ?? '', raw[at + 1] ?? '');
  }
  return kept;
}

const prefixLength = reservedHeaders.prefix.length;
const letterM = 0x6d;
const letterA = 0x61;

function isDropped(raw: readonly string[], at: number, authorization: string | undefined): boolean {
  const name = raw[at] ?? '';
  // The first letter in lower case decides nearly always, without making a string.
  const first = name.charCodeAt(0) | 0x20;
  if (first === letterM) return name.slice(0, prefixLength).toLowerCase() === reservedHeaders.prefix;
  return (
    first === letterA &&
    authorization !== undefined &&
    raw[at + 1] === authorization &&
    name.toLowerCase() === 'authorization'
  );
}
