import type { Clause } from './node.ts';
import { between, type TokenStream } from './token-stream.ts';

/** `for x in e if e for …` up to and with the bracket that ends the comprehension. */
export function parseClauses(stream: TokenStream, end: string): readonly Clause[] {
  const clauses: Clause[] = [];
  for (;;) {
    const { place } = stream.peek();
    if (stream.accept('for')) {
      const name = stream.expectKind('name', 'a name').text;
      stream.expect('in');
      const items = stream.expression();
      clauses.push({ kind: 'for', name, items, place: between(place, items.place) });
    } else if (clauses.length > 0 && stream.accept('if')) {
      const condition = stream.expression();
      clauses.push({ kind: 'if', condition, place: between(place, condition.place) });
    } else if (stream.accept(end)) {
      return clauses;
    } else {
      throw stream.unexpected(`Expected for, if or "${end}" after for clause, got`);
    }
  }
}
