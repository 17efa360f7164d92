import { limits } from '../core/limits.ts';
import type { EffectiveSettings } from '../core/settings/effective.ts';
import { jsonArrayElements } from './json-array-elements.ts';
import { refusal, type Refusal } from './refusal.ts';
import { Pace } from './pace.ts';

export type BatchMode = EffectiveSettings['batch'];

/** Events of one request: their bodies, and whether they count as JSON because they were split. */
export interface SplitBody {
  readonly kind: 'split';
  readonly bodies: readonly Buffer[];
  readonly areJson: boolean;
}

/** All modes. */
export const batchModes = ['off', 'lines', 'array', 'auto'] as const satisfies readonly BatchMode[];

/** The mode that a text names, undefined for any other text. */
export function batchModeOf(text: string): BatchMode | undefined {
  return batchModes.find((mode) => mode === text);
}

const tooManyEvents = refusal(
  'tooLarge',
  'tooManyEvents',
  `The request holds more than ${limits.eventsPerRequest} events. Nothing was stored. Send smaller batches.`,
);

const ndjson = /^application\/x-ndjson\s*(?:;|$)/i;

function isNdjson(contentType: string | undefined): boolean {
  return contentType !== undefined && ndjson.test(contentType);
}

/** How a request asks to be split: NDJSON by line always, else as its query says; undefined: it does not. */
export function batchAsked(contentType: string | undefined, inQuery: BatchMode | undefined): BatchMode | undefined {
  return isNdjson(contentType) ? 'lines' : inQuery;
}

/** A split in steps: each says how many events there are so far, the last one which. */
export type Splitting = Generator<number, SplitBody | Refusal>;

/** Splits a body into events; their bytes stay as they came. A refusal means that nothing of the body is an event. */
export function* splitEvents(body: Buffer, mode: BatchMode): Splitting {
  switch (mode) {
    case 'off':
      return { kind: 'split', bodies: [body], areJson: false };
    case 'lines':
      return yield* lines(withoutByteOrderMark(body));
    case 'array':
      return yield* array(withoutByteOrderMark(body));
    case 'auto': {
      const split = yield* array(withoutByteOrderMark(body));
      const isArray = split.kind === 'split' || split === tooManyEvents;
      return isArray ? split : { kind: 'split', bodies: [body], areJson: false };
    }
    default:
      return mode satisfies never;
  }
}

function* array(body: Buffer): Splitting {
  const elements = yield* jsonArrayElements(body, limits.eventsPerRequest);
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

function* lines(body: Buffer): Splitting {
  const bodies: Buffer[] = [];
  const pace = new Pace();
  for (let start = 0; start < body.length;) {
    if (pace.isStepDone(start, bodies.length)) yield bodies.length;
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
