import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import { contentOf, csvOf, type Rows } from './staged-csv.ts';

/** Import number `number` of these rows, columns `a` and `b`, by an incarnation that has imported nothing before. */
export function importRequest(
  into: Pick<ImportRequest, 'incarnation' | 'tableId'>,
  number: number,
  rows: Rows,
): ImportRequest {
  return {
    ...into,
    number,
    id: `import-${number}`,
    columns: ['a', 'b'],
    rows: rows.length === 0 ? [] : [contentOf(csvOf(rows))],
    dead: [],
    expected: { rows: rows.length, dead: 0 },
    before: { rows: 0, dead: 0 },
  };
}
