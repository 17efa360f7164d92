import { canonicalHeaders, headersJson, quotedHeader } from './canonical-headers.ts';

interface Member {
  /** What stands before the value: `{` or `,`, the quoted name, the colon. */
  readonly before: string;
  /** Where the value stands in the list of headers. */
  readonly at: number;
}

/**
 * Writes the text of `headers` columns. The clients of one source send the same names in the same order again and
 * again, so it keeps the canonical order of the last list of names that it saw.
 */
export class HeaderLayout {
  #names: readonly string[] = [];
  /** Undefined when a name repeats. */
  #members: readonly Member[] | undefined = [];

  /** The same as `headersJson(canonicalHeaders(headers))`. */
  json(headers: readonly string[]): string {
    if (!this.#fits(headers)) this.#learn(headers);
    if (this.#members === undefined) return headersJson(canonicalHeaders(headers));
    if (this.#members.length === 0) return '{}';
    let json = '';
    for (const { before, at } of this.#members) json += before + quotedHeader(headers[at] ?? '');
    return `${json}}`;
  }

  #fits(headers: readonly string[]): boolean {
    if (headers.length !== this.#names.length * 2) return false;
    for (let index = 0; index < this.#names.length; index++) {
      if (this.#names[index] !== headers[index * 2]) return false;
    }
    return true;
  }

  #learn(headers: readonly string[]): void {
    this.#names = headers.filter((_, at) => at % 2 === 0);
    const places = canonicalHeaders(headers.map((text, at) => (at % 2 === 0 ? text : String(at))));
    const isRepeating = places.size !== this.#names.length;
    this.#members = isRepeating
      ? undefined
      : [...places].map(([name, at], index) => ({
          before: `${index === 0 ? '{' : ','}${quotedHeader(name)}:`,
          at: Number(at),
        }));
  }
}
