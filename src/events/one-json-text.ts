import { isUtf8 } from 'node:buffer';
import { JsonScanner } from '../mapping/json-scanner.ts';
import { PathTrie } from '../mapping/path-trie.ts';

const textType = /^\s*(?:application\/x-www-form-urlencoded|text\/plain)\s*(?:;|$)/i;

/** Whether senders that do not say what they send say this: `curl -d`, `fetch` and `navigator.sendBeacon` with a text. */
export function isSentAsText(contentType: string): boolean {
  return textType.test(contentType);
}

/** Looks at a body when it is asked for the first time. */
export class OneJsonText {
  readonly #body: Buffer;
  #isOne: boolean | undefined;

  constructor(body: Buffer) {
    this.#body = body;
  }

  /** The body as a whole is one JSON object or array (RFC 8259), as the mapping would read it. */
  get isOne(): boolean {
    this.#isOne ??= isObjectOrArray(this.#body) && isUtf8(this.#body) && isValid(this.#body);
    return this.#isOne;
  }
}

/** By its first byte: a form that is none is passed by at once. */
function isObjectOrArray(body: Buffer): boolean {
  let at = 0;
  while (isBlank(body[at])) at += 1;
  return body[at] === 0x7b || body[at] === 0x5b;
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isValid(body: Buffer): boolean {
  return new JsonScanner(new PathTrie()).scan(body).fault === undefined;
}
