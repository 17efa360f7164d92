import { limits } from '../../core/limits.ts';
import { refusal, type Refusal } from '../refusal.ts';

/** Content codings that are undone before a body becomes events (RFC 9110, 8.4.1; RFC 7932; RFC 8878). */
const contentCodings = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type ContentCoding = (typeof contentCodings)[number];

/** By each name that a header may have for it; `x-gzip` is the same as `gzip` (RFC 9110, 8.4.1.3). */
const codingOf: ReadonlyMap<string, ContentCoding> = new Map([
  ...contentCodings.map((coding) => [coding, coding] as const),
  ['x-gzip', 'gzip'],
]);

const none: readonly ContentCoding[] = [];

/**
 * The codings of a body that a `Content-Encoding` lists, in the order in which they were applied; a refusal names the one
 * that is not known. An absent header, `identity` and empty elements of the list mean nothing; names are read in any case.
 */
export function codingsOf(contentEncoding: string | undefined): readonly ContentCoding[] | Refusal {
  if (contentEncoding === undefined) return none;
  const codings: ContentCoding[] = [];
  for (const element of contentEncoding.split(',')) {
    const name = element.trim().toLowerCase();
    if (name === '' || name === 'identity') continue;
    const coding = codingOf.get(name);
    if (coding === undefined) {
      const rule = `must be one of ${oneOf}, or a list of them`;
      return unsupported(`Invalid header "Content-Encoding" value "${element.trim().slice(0, 50)}": ${rule}.`);
    }
    if (codings.length === limits.contentCodings) {
      const rule = `lists more than ${limits.contentCodings} codings: compress the body once`;
      return unsupported(`Invalid header "Content-Encoding": it ${rule}.`);
    }
    codings.push(coding);
  }
  return codings;
}

const oneOf = contentCodings.map((name) => `"${name}"`).join(', ');

/** With what `Accept-Encoding` says in the answer (RFC 9110, 12.5.3). */
function unsupported(message: string): Refusal {
  return { ...refusal('unsupported', 'unsupportedMediaType', message), acceptEncoding: contentCodings.join(', ') };
}
