import type { Mutation } from './mutation.ts';
import type { Tried } from './try-mutations.ts';

const gaps = 4 * 2;
const fixed = 'survived'.length + '999.9'.length;

/** Lines of a table that is as wide as the terminal; what does not fit is cut at the end that says less. */
export class Table {
  readonly #rule: number;
  readonly #file: number;
  readonly #test: number;

  constructor(width: number) {
    const free = Math.max(width - fixed - gaps, 30);
    this.#file = Math.floor(free * 0.27);
    this.#rule = Math.floor(free * 0.38);
    this.#test = free - this.#file - this.#rule;
  }

  get head(): string {
    return this.#line({ verdict: 'verdict', seconds: 's', rule: 'rule', file: 'file', test: 'test' });
  }

  row({ mutation, verdict, seconds }: Tried): string {
    return this.#of(mutation, verdict, seconds.toFixed(1));
  }

  /** Of one that was not tried. */
  listed(mutation: Mutation): string {
    return this.#of(mutation, '', '');
  }

  #of({ rule, file, test }: Mutation, verdict: string, seconds: string): string {
    return this.#line({ verdict, seconds, rule, file, test: test.title });
  }

  #line(cells: Readonly<Record<'verdict' | 'seconds' | 'rule' | 'file' | 'test', string>>): string {
    const { verdict, seconds, rule, file, test } = cells;
    return [
      verdict.padEnd('survived'.length),
      seconds.padStart('999.9'.length),
      headOf(rule, this.#rule),
      tailOf(file, this.#file),
      headOf(test, this.#test),
    ]
      .join('  ')
      .trimEnd();
  }
}

function headOf(text: string, width: number): string {
  return text.length <= width ? text.padEnd(width) : `${text.slice(0, width - 1)}…`;
}

function tailOf(text: string, width: number): string {
  return text.length <= width ? text.padEnd(width) : `…${text.slice(text.length - width + 1)}`;
}
