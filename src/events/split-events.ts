import { limits } from '../core/limits.ts';
import type { EffectiveSettings } from '../core/settings/effective.ts';
import { parsePath, type PathStep } from '../mapping/path.ts';
import { EventSpans } from './event-spans.ts';
import { jsonArrayAt, jsonArrayElements, type ArrayElements } from './json-array-elements.ts';
import { Pace } from './pace.ts';
import { refusal, type Refusal } from './refusal.ts';

export type BatchMode = EffectiveSettings['batch'];

/** The events are the elements of the array at a path. */
export interface BatchPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
}

/** Events of one request, and whether they count as JSON because they were split. */
export interface SplitBody {
  readonly kind: 'split';
  readonly events: EventSpans;
  readonly areJson: boolean;
}

/** All modes. */
export const batchModes = ['off', 'lines', 'array', 'auto'] as const satisfies readonly BatchMode[];

/** How a request may ask to be split: as a source may, or at a path. */
export type BatchRequest = BatchMode | BatchPath;

const pathPrefix = 'path:';

/** What the text of `?batch=` asks for; a refusal of any text that asks for nothing. */
export function batchRequestOf(text: string): BatchRequest | Refusal {
  const mode = batchModes.find((known) => known === text);
  if (mode !== undefined) return mode;
  if (!text.startsWith(pathPrefix))
    return invalidBatch(text, 'must be one of "off", "lines", "array", "auto", "path:PATH"');
  const path = text.slice(pathPrefix.length);
  if (path === '') return invalidBatch(text, 'must name a path, for example "path:batch"; the whole body is "array"');
  if (path.length > limits.pathLength)
    return invalidBatch(text, `must be at most ${limits.pathLength} characters long`);
  const parsed = parsePath(path);
  if (parsed.kind === 'path') return { text: path, steps: parsed.steps };
  return invalidBatch(text, `invalid path at position ${parsed.position}: ${parsed.rule}`);
}

function invalidBatch(text: string, rule: string): Refusal {
  return refusal('invalid', 'badRequest', `Invalid query parameter "batch" value "${text.slice(0, 50)}": ${rule}.`);
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
export function batchAsked(
  contentType: string | undefined,
  inQuery: BatchRequest | undefined,
): BatchRequest | undefined {
  return isNdjson(contentType) ? 'lines' : inQuery;
}

/** A split in steps: each says how many events there are so far, the last one which. */
export type Splitting = Generator<number, SplitBody | Refusal>;

/** Splits a body into events; their bytes stay as they came. A refusal means that nothing of the body is an event. */
export function* splitEvents(body: Buffer, mode: BatchRequest): Splitting {
  if (typeof mode !== 'string')
    return splitOf(yield* jsonArrayAt(withoutByteOrderMark(body), mode, limits.eventsPerRequest));
  switch (mode) {
    case 'off':
      return wholeBody(body);
    case 'lines':
      return yield* lines(withoutByteOrderMark(body));
    case 'array':
      return yield* array(withoutByteOrderMark(body));
    case 'auto': {
      const split = yield* array(withoutByteOrderMark(body));
      const isArray = split.kind === 'split' || split === tooManyEvents;
      return isArray ? split : wholeBody(body);
    }
    default:
      return mode satisfies never;
  }
}

/** A body that is one event. */
function wholeBody(body: Buffer): SplitBody {
  const events = new EventSpans(body);
  events.add(0, body.length);
  return { kind: 'split', events, areJson: false };
}

function* array(body: Buffer): Splitting {
  return splitOf(yield* jsonArrayElements(body, limits.eventsPerRequest));
}

function splitOf(elements: ArrayElements): SplitBody | Refusal {
  switch (elements.kind) {
    case 'elements':
      return { kind: 'split', events: elements.elements, areJson: true };
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
  const events = new EventSpans(body);
  const pace = new Pace();
  for (let start = 0; start < body.length;) {
    if (pace.isStepDone(start, events.length)) yield events.length;
    const feed = body.indexOf(lineFeed, start);
    const next = feed < 0 ? body.length : feed + 1;
    let end = feed < 0 ? body.length : feed;
    if (end > start && body[end - 1] === carriageReturn) end -= 1;
    if (end > start) {
      if (events.length === limits.eventsPerRequest) return tooManyEvents;
      events.add(start, end);
    }
    start = next;
  }
  return { kind: 'split', events, areJson: true };
}

function withoutByteOrderMark(body: Buffer): Buffer {
  return body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? body.subarray(3) : body;
}
