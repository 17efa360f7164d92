import type { BodyFormat } from '../core/event.ts';

const json: BodyFormat = { kind: 'json' };
const form: BodyFormat = { kind: 'form' };

const jsonType = /^\s*application\/(?:[a-z0-9!#$&^_.+-]+\+)?json\s*(?:;|$)/i;
const multipartType = /^\s*multipart\/form-data\s*(?:;|$)/i;
const formType = /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i;

/** What decides how a body is read. An absent header is undefined. */
export interface FormatSource {
  /** The reserved header of ingest: `json`, `form` or `none`; wins. */
  readonly decided: string | undefined;
  readonly contentType: string | undefined;
  /** Whether the event came through ingest; what a producer wrote straight into the topic is JSON unless it says otherwise. */
  readonly ingested: boolean;
}

/**
 * How a body is read: JSON for `application/json` and `application/*+json`, form for
 * `application/x-www-form-urlencoded` and `multipart/form-data`, in any case and with parameters.
 */
export function bodyFormat({ decided, contentType, ingested }: FormatSource): BodyFormat {
  if (decided === 'json') return json;
  if (decided === 'form') return form;
  if (decided !== 'none') {
    if (contentType === 'application/json') return json;
    if (contentType === undefined) return ingested ? { kind: 'unsupported', contentType: '' } : json;
    if (jsonType.test(contentType)) return json;
    if (formType.test(contentType)) return form;
    if (multipartType.test(contentType)) return { kind: 'multipart', contentType };
  }
  return { kind: 'unsupported', contentType: contentType ?? '' };
}
