import { limits } from '../../../core/limits.ts';
import type { EffectiveSettings } from '../../../core/settings/effective.ts';
import { jsonArrayElements } from './json-array-elements.ts';
import { refusal, type Refusal } from '../accept/refusal.ts';

export type BatchMode = EffectiveSettings['batch'];

/** Events of one request: their bodies, and whether they count as JSON because they were split. */
export interface SplitBody {
  readonly kind: 'split';
  readonly bodies: readonly Buffer[];
  readonly areJson: boolean;
}

/** The mode that a text names, undefined for any other text. */
export function batchModeOf(text: string): BatchMode | undefined {
  return text === 'off' || text === 'lines' || text === 'array' || text === 'auto' ? text : undefined;
}

const tooManyEvents = refusal(
  'tooLarge',
  'tooManyEvents',
  `The request holds more than ${limits.eventsPerRequest} events. Nothing was stored. Send smaller batches.`,
);

const ndjson = /^application\/x-ndjson\s*(?:;|$)/i;

/** Whether a Content-Type asks for a split by line. */
export function isNdjson(contentType: string | undefined): boolean {
  return contentType !== undefined && ndjson.test(contentType);
}

/** Splits a body into events; their bytes stay as they came. A refusal means that nothing of the body is an event. */
export function splitEvents(body: Buffer, mode: BatchMode): SplitBody | Refusal {
  switch (mode) {
    case 'off':
      return { kind: 'split', bodies: [body], areJson: false };
    case 'lines':
      return lines(withoutByteOrderMark(body));
    case 'array':
      return array(withoutByteOrderMark(body));
    case 'auto': {
      const split = array(withoutByteOrderMark(body));
      const isArray = split.kind === 'split' || split === tooManyEvents;
      return isArray ? split : { kind: 'split', bodies: [body], areJson: false };
    }
    default:
      return mode satisfies never;
  }
}

function array(body: Buffer): SplitBody | Refusal {
  const elements = jsonArrayElements(body, limits.eventsPerRequest);
  switch (elements.kind) {
    case 'elements':
      return { kind: 'split', bodies: elements.elements, areJson: true };
    case 'invalid':
      return refusal('invalid', 'badRequest', `${elements.message} Nothing was stored.`);
    case 'tooMany':
      return tooManyEvents;
    default:
      return elements satisfies never;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

function lines(body: Buffer): SplitBody | Refusal {
  const bodies: Buffer[] = [];
  for (let start = 0; start < body.length;) {
    const feed = body.indexOf(lineFeed, start);
    const next = feed < 0 ? body.length : feed + 1;
    let end = feed < 0 ? body.length : feed;
    if (end > start && body[end - 1] === carriageReturn) end -= 1;
    if (end > start) {
      if (bodies.length === limits.eventsPerRequest) return tooManyEvents;
      bodies.push(body.subarray(start, end));
    }
    start = next;
  }
  return { kind: 'split', bodies, areJson: true };
}

function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
