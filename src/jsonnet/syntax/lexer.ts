import { readNumber } from './read-number.ts';
import { readQuoted, readVerbatim, type ReadString } from './read-string.ts';
import { readTextBlock } from './read-text-block.ts';
import type { SourceText } from './source-text.ts';
import { keywords, type Token, type TokenKind } from './token.ts';

const space = /[ \t\r\n]+/y;
const name = /[A-Za-z_][A-Za-z0-9_]*/y;
/** No operator is nearly as long. A run without an end would be read anew for each of its operators. */
const operator = /(?:(?!\/[/*]|\|{3})[!$:~+\-&|^=<>*/%]){1,64}/y;
const symbols = '{}[]().,;';

/** The tokens of a template; the last one is of kind `end`. Throws static errors. */
export function tokenize(source: SourceText): readonly Token[] {
  return new Lexer(source).run();
}

class Lexer {
  readonly #source: SourceText;
  readonly #text: string;
  readonly #tokens: Token[] = [];
  #at = 0;

  constructor(source: SourceText) {
    this.#source = source;
    this.#text = source.text;
  }

  run(): readonly Token[] {
    while (this.#skipBlank()) this.#read();
    this.#push('end', '', this.#at);
    return this.#tokens;
  }

  /** Goes over white space and comments; false at the end of the text. */
  #skipBlank(): boolean {
    for (;;) {
      this.#at += this.#match(space).length;
      if (this.#text[this.#at] === '#' || this.#text.startsWith('//', this.#at)) {
        const end = this.#text.indexOf('\n', this.#at);
        this.#at = end < 0 ? this.#text.length : end;
      } else if (this.#text.startsWith('/*', this.#at)) {
        const end = this.#text.indexOf('*/', this.#at + 2);
        if (end < 0) throw this.#source.refuse('Multi-line comment has no terminating */', this.#at, this.#at + 2);
        this.#at = end + 2;
      } else {
        return this.#at < this.#text.length;
      }
    }
  }

  #read(): void {
    const start = this.#at;
    const first = this.#text[start] ?? '';
    if (symbols.includes(first)) return this.#push('symbol', first, start + 1);
    if (first >= '0' && first <= '9') return this.#readNumber(start);
    if (first === '"' || first === "'") return this.#pushString(readQuoted(this.#source, start));
    if (first === '@') return this.#pushString(readVerbatim(this.#source, start));
    if (this.#text.startsWith('|||', start)) return this.#pushString(readTextBlock(this.#source, start));
    const word = this.#match(name);
    if (word !== '') return this.#push(keywords.has(word) ? 'keyword' : 'name', word, start + word.length);
    const run = this.#match(operator);
    if (run === '') {
      const character = String.fromCodePoint(this.#text.codePointAt(start) ?? 0);
      throw this.#source.refuse(`Could not lex the character "${character}"`, start, start + character.length);
    }
    const text = operatorOf(run);
    return this.#push('operator', text, start + text.length);
  }

  #readNumber(start: number): void {
    const end = readNumber(this.#source, start);
    const text = this.#text.slice(start, end).replaceAll('_', '');
    this.#push('number', text, end);
  }

  #pushString({ value, end }: ReadString): void {
    this.#push('string', value, end);
  }

  #push(kind: TokenKind, text: string, end: number): void {
    this.#tokens.push({ kind, text, place: this.#source.place(this.#at, end) });
    this.#at = end;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#text)?.[0] ?? '';
  }
}

/** Of a run of operator characters, which ends before a comment or a text block, what is one: it does not end in `+-~!$`. */
function operatorOf(run: string): string {
  let end = run.length;
  while (end > 1 && '+-~!$'.includes(run[end - 1] ?? '')) end--;
  return run.slice(0, end);
}
