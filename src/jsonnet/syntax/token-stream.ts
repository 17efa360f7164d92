import { JsonnetError } from '../jsonnet-error.ts';
import type { Place } from '../place.ts';
import type { Node } from './node.ts';
import { describe, type Token, type TokenKind } from './token.ts';

/** Expressions may stand within each other so deep. */
const maxNesting = 500;

/** The tokens from left to right, and how an expression is read from them. */
export class TokenStream {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  readonly #parse: (stream: TokenStream) => Node;
  #at = 0;
  #nesting = 0;

  constructor(tokens: readonly Token[], end: Token, parse: (stream: TokenStream) => Node) {
    this.#tokens = tokens;
    this.#end = end;
    this.#parse = parse;
  }

  /** The next token, which stays, or one after it. */
  peek(ahead = 0): Token {
    return this.#tokens[this.#at + ahead] ?? this.#end;
  }

  next(): Token {
    const token = this.peek();
    this.#at++;
    return token;
  }

  /** Whether the next token is this symbol, operator or keyword. A string with the same text is not. */
  sees(text: string, ahead = 0): boolean {
    const token = this.peek(ahead);
    return token.text === text && token.kind !== 'string' && token.kind !== 'end';
  }

  /** Takes the token when it is next. */
  accept(text: string): boolean {
    const seen = this.sees(text);
    if (seen) this.#at++;
    return seen;
  }

  expect(text: string): Token {
    if (!this.sees(text)) throw this.unexpected(`Expected token "${text}" but got`);
    return this.next();
  }

  expectKind(kind: TokenKind, what: string): Token {
    if (this.peek().kind !== kind) throw this.unexpected(`Expected ${what} but got`);
    return this.next();
  }

  /** A whole expression, as far as it goes. */
  expression(): Node {
    if (++this.#nesting > maxNesting) {
      throw this.refuse(`Expressions are nested more than ${maxNesting} levels deep`, this.peek().place);
    }
    const node = this.#parse(this);
    this.#nesting--;
    return node;
  }

  unexpected(message: string): JsonnetError {
    const token = this.peek();
    return this.refuse(`${message} ${describe(token)}`, token.place);
  }

  refuse(message: string, place: Place): JsonnetError {
    return new JsonnetError('static', message, { place });
  }
}

/** From the beginning of one place to the end of another. */
export function between(first: Place, last: Place): Place {
  return { line: first.line, column: first.column, endLine: last.endLine, endColumn: last.endColumn };
}
