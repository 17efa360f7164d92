import { shortened } from '../core/shortened.ts';
import type { JsonFault } from '../mapping/json-scan.ts';
import { JsonScanner } from '../mapping/json-scanner.ts';
import type { PathStep } from '../mapping/path.ts';
import { PathTrie } from '../mapping/path-trie.ts';
import { EventSpans } from './event-spans.ts';
import { Pace } from './pace.ts';

export type ArrayElements =
  | { readonly kind: 'elements'; readonly elements: EventSpans }
  /** A sentence that names the element by its index, from 0, and the byte. */
  | { readonly kind: 'invalid'; readonly message: string }
  | { readonly kind: 'tooMany' };

const comma = 0x2c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const backslash = 0x5c;

/**
 * The elements of a JSON array as the bytes that they came in, without the white space around them. Every element is
 * checked against RFC 8259, as the mapping would. More than `max` elements: `tooMany`, whatever follows. Each step says
 * how many there are so far.
 */
export function* jsonArrayElements(body: Buffer, max: number): Generator<number, ArrayElements> {
  const elements = new EventSpans(body);
  const pace = new Pace();
  const scanner = new JsonScanner(new PathTrie());
  let at = skipBlanks(body, 0);
  if (body[at] !== openBracket) return invalid(`The body is not a JSON array: expected "[" at byte ${at}.`);
  at = skipBlanks(body, at + 1);
  if (body[at] === closeBracket) return finished(body, at + 1, elements);
  for (;;) {
    if (elements.length === max) return { kind: 'tooMany' };
    if (pace.isStepDone(at, elements.length)) yield elements.length;
    const end = endOfElement(body, at);
    const { fault } = scanner.scan(body.subarray(at, end));
    if (fault !== undefined) return invalid(elementMessage(elements.length, at, fault));
    elements.add(at, end);
    at = skipBlanks(body, end);
    if (body[at] === closeBracket) return finished(body, at + 1, elements);
    if (body[at] !== comma) {
      return invalid(
        `The JSON array is cut or broken: expected "," or "]" after element ${elements.length - 1}, at byte ${at}.`,
      );
    }
    at = skipBlanks(body, at + 1);
  }
}

/**
 * The elements of the array that stands at a path in a JSON body, in the same way. The whole body is checked; of duplicate
 * keys the first one counts, as for path columns. What stands beside the array is in no element.
 */
export function* jsonArrayAt(
  body: Buffer,
  { text, steps }: { readonly text: string; readonly steps: readonly PathStep[] },
  max: number,
): Generator<number, ArrayElements> {
  const trie = new PathTrie();
  const { slot } = trie.add(steps);
  const scan = new JsonScanner(trie).scan(body);
  if (scan.fault !== undefined) return invalid(`The body ${faultMessage(0, scan.fault)}.`);
  const span = scan.find(slot);
  const place = `The path "${shortened(text, 200)}" of "batch"`;
  if (span === undefined) return invalid(`${place} is not in the body.`);
  if (body[span.start] !== openBracket) return invalid(`${place} leads to something else than a JSON array.`);
  return yield* jsonArrayElements(body.subarray(span.start, span.end), max);
}

function invalid(message: string): ArrayElements {
  return { kind: 'invalid', message };
}

function finished(body: Buffer, from: number, elements: EventSpans): ArrayElements {
  const at = skipBlanks(body, from);
  if (at < body.length) return invalid(`The JSON array ends before byte ${at}, but the body goes on.`);
  return { kind: 'elements', elements };
}

function elementMessage(index: number, start: number, fault: JsonFault): string {
  if (fault.kind === 'empty')
    return `Element ${index} of the JSON array is not valid JSON: there is none at byte ${start}.`;
  return `Element ${index} of the JSON array ${faultMessage(start, fault)}.`;
}

/** `start`: where the text that was scanned begins in the body. */
function faultMessage(start: number, { kind, at }: JsonFault): string {
  const place = start + at;
  switch (kind) {
    case 'empty':
      return 'is empty';
    case 'end':
      return `is not valid JSON: it ends too early, at byte ${place}`;
    case 'nesting':
      return `is not valid JSON: it is nested too deeply, at byte ${place}`;
    case 'syntax':
      return `is not valid JSON: unexpected byte at ${place}`;
    default:
      return kind satisfies never;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function skipBlanks(body: Buffer, from: number): number {
  let at = from;
  while (isBlank(body[at])) at += 1;
  return at;
}

/**
 * Where the value that begins at `from` ends, as far as brackets and strings tell: right for every valid value; the
 * scanner finds what is wrong with any other.
 */
function endOfElement(body: Buffer, from: number): number {
  let depth = 0;
  for (let at = from; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) {
      at = endOfString(body, at + 1);
      if (depth === 0) return Math.min(at + 1, body.length);
    } else if (byte === openBracket || byte === 0x7b) {
      depth += 1;
    } else if (byte === closeBracket || byte === 0x7d) {
      if (depth === 0) return at;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (depth === 0 && (byte === comma || isBlank(byte))) {
      return at;
    }
  }
  return body.length;
}

/** Position of the quote that closes a string, or the end of the body. */
function endOfString(body: Buffer, from: number): number {
  for (let at = from; at < body.length; at += 1) {
    const byte = body[at];
    if (byte === quote) return at;
    if (byte === backslash) at += 1;
  }
  return body.length;
}
