import type { Mutation } from './mutation.ts';

/** Buckets, columns, files and imports: nothing is lost that somebody needs, nothing is loaded twice. */

const buckets = 'src/api/buckets.test.ts';
const columns = 'src/api/columns.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'B1: buckets are one in any letter case',
    file: 'src/core/bucket.ts',
    from: 'some.toLowerCase() === other.toLowerCase()',
    to: 'some === other',
    test: { file: buckets, title: 'in any letter case, is not made again' },
  },
  {
    rule: 'B1: a bucket that only has tables is there',
    file: 'src/control/operations/create-bucket.ts',
    from: 'found.find((one) => isSameBucket',
    to: 'found.find((one) => one.made !== undefined && isSameBucket',
    test: { file: buckets, title: 'in any letter case, is not made again' },
  },
  {
    rule: 'B1: a bucket that was made stays',
    file: 'src/control/store/buckets.ts',
    from: 'if (made === undefined && inside.length === 0)',
    to: 'if (inside.length === 0)',
    test: { file: buckets, title: 'stays when its last table goes' },
  },
  {
    rule: 'B2: a bucket with tables stays',
    file: 'src/control/operations/delete-bucket.ts',
    from: 'if (!force && inside.length > 0)',
    to: 'if (!force && inside.length > 9)',
    test: { file: buckets, title: 'is deleted when it is empty' },
  },
  {
    rule: 'B2: no table goes that a sink fills',
    file: 'src/control/operations/delete-bucket.ts',
    from: "      await requireUnused(parts, { tableId, what: 'deleted', canForce: false }, options);",
    to: '      await Promise.resolve(tableId);',
    test: { file: buckets, title: 'while a sink fills one of them' },
  },
  {
    rule: 'B3: a sink keeps its columns',
    file: 'src/control/operations/change-columns.ts',
    from: '  if (sinks.length + waiting.length === 0) return;',
    to: '  if (sinks.length + waiting.length >= 0) return;',
    test: { file: columns, title: 'the columns that a sink fills stay' },
  },
  {
    rule: 'B3: what makes sink and table fit is done',
    file: 'src/control/operations/change-columns.ts',
    from: '!fits.includes(sink) && ',
    to: '',
    test: { file: columns, title: 'the change makes them fit again' },
  },
  {
    rule: 'B3: the key keeps its columns',
    file: 'src/control/operations/change-columns.ts',
    from: '!primaryKey.includes(column)) return;',
    to: 'primaryKey.includes(column)) return;',
    test: { file: columns, title: 'one of the key stay' },
  },
];
