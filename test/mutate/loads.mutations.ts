import type { Mutation } from './mutation.ts';

/** What loads of tables promise: once or not at all, by one row that moves once; rows replaced by their key. */

const duckdb = 'src/adapters/duckdb/table-store.test.ts';
const postgres = 'src/adapters/postgres/table-store.postgres.test.ts';
const postgresFaults = 'src/adapters/postgres/load-recovery.postgres.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'D3: DuckDB looks at the verdict of a load in the transaction that loads',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: "if (row.verdict !== 'open') return row;",
    to: '',
    test: { file: duckdb, title: 'D3: of several that load under one id at once, one does' },
  },
  {
    rule: 'D3: a load that was given up cannot be loaded any more on DuckDB',
    file: 'src/adapters/duckdb/load-ledger.ts',
    from: "await addRow(connection, id, 'abandoned');",
    to: '',
    test: { file: duckdb, title: 'D3: what was given up cannot be loaded any more, whether it had a row or not' },
  },
  {
    rule: 'D3: what was loaded cannot be given up on DuckDB',
    file: 'src/adapters/duckdb/load-ledger.ts',
    from: "  if (row.verdict !== 'open') return row;\n  const given",
    to: '  const given',
    test: { file: duckdb, title: 'D3: what was loaded stays loaded when it is given up' },
  },
  {
    rule: 'D2: rows that were there go with a load that is not incremental on DuckDB',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: 'if (!plan.isIncremental) {',
    to: 'if (!plan.isIncremental && aligned.added.length > 99) {',
    test: { file: duckdb, title: 'replaces all rows unless the load is incremental' },
  },
  {
    rule: 'D3: DuckDB: of rows with one key in a load the last one stays',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: 'SELECT max(rowid)',
    to: 'SELECT min(rowid)',
    test: { file: duckdb, title: 'D3: rows with the same key replace each other' },
  },
  {
    rule: 'D3: DuckDB: rows that are there are replaced by their key',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: 'if (isIncremental)\n',
    to: 'if (!isIncremental)\n',
    test: { file: duckdb, title: 'D3: rows with the same key replace each other' },
  },
  {
    rule: 'D9: a table of DuckDB gets no key by which its rows are the same',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: 'if (await hasRepeats(connection, tableId, primaryKey)) throw',
    to: 'if (primaryKey.length > 99) throw',
    test: { file: duckdb, title: 'D9: another key takes its place where the rows that stay are unique by it' },
  },
  {
    rule: 'D2: content of a load is compared with its checksum before DuckDB commits',
    file: 'src/adapters/duckdb/load-tables.ts',
    from: "    if (checked.status === 'rejected') throw checked.reason;\n",
    to: '',
    test: {
      file: 'src/adapters/duckdb/altered-loads.test.ts',
      title: 'D2: a file that was altered is objects.corrupt',
    },
  },
  {
    rule: 'D3: a key of DuckDB that is not whole any more is none',
    file: 'src/adapters/duckdb/primary-key.ts',
    from: '&& of === marked.length',
    to: '',
    test: {
      file: 'src/adapters/duckdb/altered-loads.test.ts',
      title: 'D3: a key of which a column was dropped by hand is none',
    },
  },
  {
    rule: 'D3: lines without a column of the key are refused, as all of them would be one row',
    file: 'src/adapters/aligned-table.ts',
    from: 'if (lacking === undefined) continue;',
    to: 'if (lacking !== null) continue;',
    test: { file: duckdb, title: 'D9: lines without a column of the key are table.schemaMismatch' },
  },
  {
    rule: 'D3: a load without a key keeps that of the table',
    file: 'src/adapters/aligned-table.ts',
    from: 'load.primaryKey.length > 0 && !isSameKey',
    to: '!isSameKey',
    test: { file: duckdb, title: 'D3: a load without a key keeps the key of the table' },
  },
  {
    rule: 'D9: the tables of the product cannot be loaded',
    file: 'src/adapters/planned-loads.ts',
    from: "if (tableName(tableId).stage === 'sys') {",
    to: "if (tableName(tableId).stage === 'out') {",
    test: { file: duckdb, title: 'D9: the dead letters is input.invalid' },
  },
  {
    rule: 'D2: a table that stands twice in a load loses nothing of the first time',
    file: 'src/adapters/planned-loads.ts',
    from: 'parts: [...before.parts, part],',
    to: 'parts: [part],',
    test: { file: duckdb, title: 'a table that stands several times in a load gets all of it, once' },
  },
  {
    rule: 'D9: a column of the key cannot be dropped',
    file: 'src/adapters/table-requests.ts',
    from: 'const lost = dropped.find((column) => primaryKey.includes(column));',
    to: 'const lost = dropped.find((column) => !primaryKey.includes(column) && false);',
    test: { file: duckdb, title: 'D9: goes with a column that is renamed; none of its columns can be dropped' },
  },
  {
    rule: 'D3: PostgreSQL moves the ledger row of a load only from open',
    file: 'src/adapters/postgres/load-ledger.ts',
    from: "note = $2 WHERE id = $1 AND verdict = 'open'",
    to: 'note = $2 WHERE id = $1',
    test: { file: postgresFaults, title: 'D3, D6: a load that has stopped holds up neither its giving up' },
  },
  {
    rule: 'D3: what was loaded cannot be given up on PostgreSQL',
    file: 'src/adapters/postgres/load-ledger.ts',
    from: "SET verdict = 'abandoned' WHERE known.verdict = 'open'",
    to: "SET verdict = 'abandoned'",
    test: { file: postgres, title: 'D3: what was loaded stays loaded when it is given up' },
  },
  {
    rule: 'D3: PostgreSQL: loads at once into a table with a key take turns',
    file: 'src/adapters/postgres/lock-table.ts',
    from: "merging: 'SHARE UPDATE EXCLUSIVE',",
    to: "merging: 'ROW EXCLUSIVE',",
    test: { file: postgres, title: 'D3: loads at once into one table, new or there, lose nothing and keep its key' },
  },
  {
    rule: 'D3: PostgreSQL: of rows with one key the last one stays',
    file: 'src/adapters/postgres/load-tables.ts',
    from: 'if (primaryKey.length > 0) rows -= await removeReplaced(connection, tableId, primaryKey);',
    to: '',
    test: { file: postgres, title: 'D3: rows with the same key replace each other' },
  },
  {
    rule: 'D2: rows that were there go with a load that is not incremental on PostgreSQL',
    file: 'src/adapters/postgres/fitting-table.ts',
    from: 'if (!plan.isIncremental) await removeOldRows(client, plan);',
    to: '',
    test: { file: postgres, title: 'replaces all rows unless the load is incremental' },
  },
];
