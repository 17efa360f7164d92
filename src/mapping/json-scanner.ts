import { Buffer, isUtf8 } from 'node:buffer';
import { limits } from '../core/limits.ts';
import { endOfLiteral, endOfNumber, endOfPlainText, endOfString, isBlank } from './json-lexer.ts';
import { unescapeJson } from './json-text.ts';
import { JsonScan, type JsonFault, type JsonSpan } from './json-scan.ts';
import { findChild, keyBucket, type PathNode, type PathTrie } from './path-trie.ts';

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

/**
 * Checks a whole body against RFC 8259 in one pass over its bytes and notes where the values of all paths of a trie
 * begin and end. Whether the bytes are UTF-8 is judged by who takes them.
 */
export class JsonScanner {
  readonly #trie: PathTrie;
  /**
   * A copy of the body with a NUL behind it: the same object for all bodies, and no check against the end. As large as the largest body
   * needed so far: thousands of mappings wait for events that never come.
   */
  #bytes: Buffer = Buffer.alloc(0);
  /** The span that was found last, and how many there are. */
  #last: JsonSpan | undefined;
  #count = 0;
  #scan = 0;
  #depth = 0;
  #blanks = 0;

  constructor(trie: PathTrie) {
    this.#trie = trie;
  }

  scan(body: Uint8Array): JsonScan {
    this.#copy(body);
    this.#last = undefined;
    this.#count = 0;
    this.#scan++;
    this.#depth = 0;
    this.#blanks = 0;
    const fault = this.#scanCopy(body.length);
    return new JsonScan(this.#last, this.#count, fault);
  }

  #scanCopy(length: number): JsonFault | undefined {
    let at = this.#skipBlanks(0);
    if (at >= length) return { kind: 'empty', at: 0 };
    at = this.#visit(at, this.#trie.root);
    if (at >= 0) {
      at = this.#skipBlanks(at);
      if (at === length) return undefined;
      at = ~at;
    }
    if (this.#depth > limits.jsonNesting) return { kind: 'nesting', at: ~at };
    return ~at >= length ? { kind: 'end', at: length } : { kind: 'syntax', at: ~at };
  }

  #copy(body: Uint8Array): void {
    if (this.#bytes.length <= body.length) this.#bytes = Buffer.alloc(2 ** Math.ceil(Math.log2(body.length + 1)));
    this.#bytes.set(body);
    this.#bytes[body.length] = 0;
  }

  #skipBlanks(at: number): number {
    const bytes = this.#bytes;
    if ((bytes[at] as number) > 0x20) return at;
    const from = at;
    while (isBlank(bytes[at] as number)) at++;
    this.#blanks += at - from;
    return at;
  }

  /** Reads the value of a node that some path goes to or through, unless it was met before. */
  #visit(at: number, node: PathNode): number {
    if (node.visited === this.#scan) return this.#value(at, undefined);
    node.visited = this.#scan;
    const { slot } = node;
    if (slot < 0) return this.#value(at, node.inner);
    const blanks = this.#blanks;
    const end = this.#value(at, node.inner);
    this.#last = { slot, start: at, end, isSpaced: this.#blanks !== blanks, before: this.#last };
    this.#count += 1;
    return end;
  }

  #value(at: number, node: PathNode | undefined): number {
    const bytes = this.#bytes;
    const byte = bytes[at] as number;
    if (byte === quote) return endOfString(bytes, at + 1);
    if (byte === openBrace) return this.#object(at + 1, node);
    if (byte === openBracket) return this.#array(at + 1, node);
    if (byte <= 0x39 && (byte >= 0x30 || byte === 0x2d)) return endOfNumber(bytes, at);
    return endOfLiteral(bytes, at);
  }

  #object(at: number, node: PathNode | undefined): number {
    const bytes = this.#bytes;
    if (++this.#depth > limits.jsonNesting) return ~(at - 1);
    at = this.#skipBlanks(at);
    if (bytes[at] === closeBrace) {
      this.#depth--;
      return at + 1;
    }
    for (;;) {
      if (bytes[at] !== quote) return ~at;
      const keyStart = at + 1;
      let child: PathNode | undefined;
      at = endOfPlainText(bytes, keyStart);
      if (bytes[at] === quote) {
        if (node !== undefined) child = this.#child(keyStart, at, node);
        at++;
      } else {
        at = endOfString(bytes, at);
        if (at < 0) return at;
        if (node !== undefined) child = this.#childOfEscapedKey(keyStart, at - 1, node);
      }
      at = this.#skipBlanks(at);
      if (bytes[at] !== colon) return ~at;
      at = this.#skipBlanks(at + 1);
      if (child !== undefined) at = this.#visit(at, child);
      else if (bytes[at] === quote) at = endOfString(bytes, at + 1);
      else at = this.#value(at, undefined);
      if (at < 0) return at;
      at = this.#skipBlanks(at);
      if (bytes[at] !== comma) break;
      at = this.#skipBlanks(at + 1);
    }
    if (bytes[at] !== closeBrace) return ~at;
    this.#depth--;
    return at + 1;
  }

  #child(start: number, end: number, node: PathNode): PathNode | undefined {
    const bytes = this.#bytes;
    if (node.byText !== undefined) return node.byText.get(bytes.toString('latin1', start, end));
    const length = end - start;
    const bucket = length === 0 ? 0 : keyBucket(length, bytes[start] as number, bytes[end - 1] as number);
    let child = node.buckets[bucket];
    while (child !== undefined && !(child.key.length === length && isAt(child.key, bytes, start)))
      child = child.sibling;
    return child;
  }

  #childOfEscapedKey(start: number, end: number, node: PathNode): PathNode | undefined {
    const json = this.#bytes.subarray(start - 1, end + 1);
    const text = unescapeJson(json);
    // What is no text would be U+FFFD in what follows, and be taken for a key that has it.
    if (!isUtf8(json) || !text.isWellFormed()) return undefined;
    return findChild(node, Buffer.from(text));
  }

  #array(at: number, node: PathNode | undefined): number {
    const bytes = this.#bytes;
    if (++this.#depth > limits.jsonNesting) return ~(at - 1);
    at = this.#skipBlanks(at);
    if (bytes[at] === closeBracket) {
      this.#depth--;
      return at + 1;
    }
    for (let index = 0; ; index++) {
      const child = node?.elements.get(index);
      at = child === undefined ? this.#value(at, undefined) : this.#visit(at, child);
      if (at < 0) return at;
      at = this.#skipBlanks(at);
      if (bytes[at] !== comma) break;
      at = this.#skipBlanks(at + 1);
    }
    if (bytes[at] !== closeBracket) return ~at;
    this.#depth--;
    return at + 1;
  }
}

function isAt(key: Uint8Array, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < key.length; at++) if (key[at] !== bytes[start + at]) return false;
  return true;
}
