import type { Mutation } from './mutation.ts';

/** What the adapters promise: durable before the answer, compare-and-set, one transaction for rows and ledger. */

const lmdbLog = 'src/adapters/lmdb/event-log-storage.test.ts';
const lmdbCatalog = 'src/adapters/lmdb/catalog.test.ts';
const mongoConcerns = 'src/adapters/mongodb/catalog-concerns.mongo.test.ts';
const mongoCatalog = 'src/adapters/mongodb/catalog.mongo.test.ts';
const mongoFaults = 'src/adapters/mongodb/catalog-faults.mongo.test.ts';
const postgresCatalog = 'src/adapters/postgres/catalog.postgres.test.ts';
const postgresFaults = 'src/adapters/postgres/catalog-faults.postgres.test.ts';
const duckdb = 'src/adapters/duckdb/table-store.test.ts';
const postgresTables = 'src/adapters/postgres/table-store.postgres.test.ts';
const files = 'src/adapters/filesystem/object-store.test.ts';
const s3 = 'src/adapters/s3/object-store.s3.test.ts';
const s3Unclear = 'src/adapters/s3/unclear-answers.s3.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'LMDB: what a commit shows is synced',
    file: 'src/adapters/lmdb/client.ts',
    from: 'overlappingSync: false,',
    to: 'overlappingSync: true,',
    test: { file: lmdbLog, title: 'D1: a record is synced before it is acknowledged and before a consumer sees it' },
  },
  {
    rule: 'LMDB: a commit is synced before its answer',
    file: 'src/adapters/lmdb/client.ts',
    from: 'overlappingSync: false,',
    to: 'overlappingSync: false, noSync: true,',
    test: { file: 'src/adapters/lmdb/catalog-storage.test.ts', title: 'D1: a write is synced before the answer' },
  },
  {
    rule: 'LMDB: a write compares the revision',
    file: 'src/adapters/lmdb/catalog-writer.ts',
    from: 'if (before !== change.expected) {',
    to: 'if (before !== change.expected && change.expected === undefined) {',
    test: { file: lmdbCatalog, title: 'D2: concurrent writers of two instances lose no update' },
  },
  {
    rule: 'DuckDB: rows that are there are empty in an added column',
    file: 'src/adapters/duckdb/change-table.ts',
    from: "VARCHAR DEFAULT ''`",
    to: 'VARCHAR`',
    test: { file: duckdb, title: 'changes the columns all at once' },
  },
  {
    rule: 'DuckDB: columns change only of a table that is as it was asked about',
    file: 'src/adapters/duckdb/change-table.ts',
    from: 'if (mismatch !== undefined) throw mismatch;',
    to: '',
    test: { file: duckdb, title: 'D9: changes nothing of a table that has other columns' },
  },
  {
    rule: 'DuckDB: cells of former columns go to their places',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: 'SELECT ${cellsOf(placed)} FROM',
    to: 'SELECT * FROM',
    test: { file: duckdb, title: 'D3: lines of former columns go to their places' },
  },
  {
    rule: 'MongoDB: writes are acknowledged by a majority',
    file: 'src/adapters/mongodb/client.ts',
    from: "writeConcern: { w: 'majority', journal: true,",
    to: 'writeConcern: { w: 1, journal: true,',
    test: { file: mongoConcerns, title: 'D1: every write is acknowledged by a majority with its journal' },
  },
  {
    rule: 'MongoDB: writes are in the journal',
    file: 'src/adapters/mongodb/client.ts',
    from: "writeConcern: { w: 'majority', journal: true,",
    to: "writeConcern: { w: 'majority', journal: false,",
    test: { file: mongoConcerns, title: 'D1: every write is acknowledged by a majority with its journal' },
  },
  {
    rule: 'MongoDB: the URL lowers nothing',
    file: 'src/adapters/mongodb/client.ts',
    from: '  checkPromises(client);\n',
    to: '',
    test: { file: mongoFaults, title: 'refuses a URL that cannot be used or that checks less' },
  },
  {
    rule: 'MongoDB: reads are of what a majority has',
    file: 'src/adapters/mongodb/client.ts',
    from: "readConcern: { level: 'majority' },",
    to: "readConcern: { level: 'local' },",
    test: { file: mongoConcerns, title: 'D2: every read is of what a majority has' },
  },
  {
    rule: 'MongoDB: a document is read linearizably',
    file: 'src/adapters/mongodb/catalog-steps.ts',
    from: "findOne({ _id: id }, { readConcern: { level: 'linearizable' }, maxTimeMS });",
    to: 'findOne({ _id: id }, { maxTimeMS });',
    test: { file: mongoConcerns, title: 'D2: every read is of what a majority has' },
  },
  {
    rule: 'MongoDB: a counter is read linearizably',
    file: 'src/adapters/mongodb/catalog-steps.ts',
    from: "const options = { readConcern: { level: 'linearizable' as const }, maxTimeMS };",
    to: "const options = { readConcern: { level: 'majority' as const }, maxTimeMS };",
    test: { file: mongoConcerns, title: 'D2: every read is of what a majority has' },
  },
  {
    rule: 'MongoDB: the pages of a list are read linearizably',
    file: 'src/adapters/mongodb/catalog-reader.ts',
    from: "const options = { readConcern: { level: 'linearizable' as const }, maxTimeMS, singleBatch: true };",
    to: 'const options = { maxTimeMS, singleBatch: true };',
    test: { file: mongoConcerns, title: 'D2: every read is of what a majority has' },
  },
  {
    rule: 'MongoDB: reads go to the primary',
    file: 'src/adapters/mongodb/client.ts',
    from: "readPreference: 'primary',",
    to: "readPreference: 'primaryPreferred',",
    test: { file: mongoConcerns, title: 'D2: reads go to the primary, and the driver repeats none' },
  },
  {
    rule: 'MongoDB: the driver repeats no write',
    file: 'src/adapters/mongodb/client.ts',
    from: 'retryWrites: false,',
    to: 'retryWrites: true,',
    test: { file: mongoConcerns, title: 'D2: reads go to the primary, and the driver repeats none' },
  },
  {
    rule: 'MongoDB: a write compares the revision',
    file: 'src/adapters/mongodb/catalog-steps.ts',
    from: '{ _id: pending.id, revision: pending.expected, ...conditionOf(replacement) }',
    to: '{ _id: pending.id, ...conditionOf(replacement) }',
    test: { file: mongoCatalog, title: 'D2: concurrent writers of two instances lose no update' },
  },
  {
    rule: 'PostgreSQL: commits are synced, whatever the server is configured for',
    file: 'src/adapters/postgres/client.ts',
    from: "CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')",
    to: "CASE WHEN current_setting('synchronous_commit') IN ('local', 'remote_write')",
    test: { file: postgresFaults, title: 'raises synchronous_commit to on, whatever the server is configured for' },
  },
  {
    rule: 'PostgreSQL: writes of a collection wait for each other',
    file: 'src/adapters/postgres/catalog-schema.ts',
    from: 'WHERE c.collection = the_collection FOR UPDATE;',
    to: 'WHERE c.collection = the_collection;',
    test: {
      file: postgresCatalog,
      title: 'bring a replica to the collection while many write',
    },
  },
  {
    rule: 'PostgreSQL: the ledger moves by one',
    file: 'src/adapters/postgres/ledger.ts',
    from: ' AND number = $2::bigint - 1`',
    to: ' AND $2::bigint > 0`',
    test: {
      file: 'src/adapters/postgres/table-recovery.postgres.test.ts',
      title: 'D3: another one of the same number does not wait for it, and it loads nothing when it goes on',
    },
  },
  {
    rule: 'PostgreSQL: rows of an import that lost the race go back',
    file: 'src/adapters/postgres/import-slices.ts',
    from: "    await connection.query('ROLLBACK');\n",
    to: "    await connection.query('COMMIT');\n",
    test: {
      file: 'src/adapters/postgres/table-recovery.postgres.test.ts',
      title: 'D3: another one of the same number does not wait for it, and it loads nothing when it goes on',
    },
  },
  {
    rule: 'PostgreSQL: the answer to a commit that is lost is looked up',
    file: 'src/adapters/postgres/import-slices.ts',
    from: 'if (!isCommitting) throw thrown;',
    to: 'if (isCommitting || !isCommitting) throw thrown;',
    test: {
      file: 'src/adapters/postgres/table-recovery.postgres.test.ts',
      title: 'D3: when the answer to the commit is lost, the ledger tells that it was loaded',
    },
  },
  {
    rule: 'DuckDB: rows and ledger are one transaction',
    file: 'src/adapters/duckdb/transaction.ts',
    from: "    await connection.run('ROLLBACK').catch(() => undefined);\n",
    to: "    await connection.run('COMMIT').catch(() => undefined);\n",
    test: {
      file: duckdb,
      title: 'is table.invalidContent, loads nothing and shows no cell',
    },
  },
  {
    rule: 'DuckDB: an import follows the ledger',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: '    if (verdict !== undefined) return verdict;\n',
    to: "    if (verdict === 'abandoned') return verdict;\n",
    test: {
      file: duckdb,
      title: 'D3: of the same import sent several times at once exactly one loads and all say loaded',
    },
  },
  {
    rule: 'DuckDB: an import counts the rows that it loads',
    file: 'src/adapters/duckdb/import-slices.ts',
    from: '  if (rows !== expected) {',
    to: '  if (rows > expected) {',
    test: { file: duckdb, title: 'table.invalidContent' },
  },
  {
    rule: 'DuckDB, D6: a table with long rows is marked',
    file: 'src/adapters/duckdb/long-rows.ts',
    from: 'if (bytes < content.rows * longRowBytes || bytes === 0) return;',
    to: 'if (bytes >= 0) return;',
    test: { file: 'src/adapters/duckdb/recovery.test.ts', title: 'D6: long rows of one table' },
  },
  {
    rule: 'DuckDB, D6: a file with long rows is opened without merging',
    file: 'src/adapters/duckdb/session.ts',
    from: 'if (!merges || (await hasLongRows(control)))',
    to: 'if (!merges)',
    test: { file: 'src/adapters/duckdb/recovery.test.ts', title: 'D6: long rows of one table' },
  },
  {
    rule: 'DuckDB, D6: a file whose checkpoint ran out of memory is opened without merging',
    file: 'src/adapters/duckdb/client.ts',
    from: '        this.#merges &&= !isOutOfMemory(error);\n',
    to: '',
    test: { file: 'src/adapters/duckdb/recovery.test.ts', title: 'D6: long rows that nobody has marked' },
  },
  {
    rule: 'file system: a file whose sync failed is written again',
    file: 'src/adapters/filesystem/object-store.ts',
    from: '      this.#doubtful.add(source);\n',
    to: '',
    test: { file: 'src/adapters/filesystem/failed-sync.test.ts', title: 'of the file of the caller' },
  },
  {
    rule: 'file system, D8: where too many files have failed to be told apart, none is taken for sound',
    file: 'src/adapters/filesystem/doubtful-files.ts',
    from: 'if (!this.#paths.has(path)) this.#isAny = true;',
    to: '',
    test: { file: 'src/adapters/filesystem/doubtful-files.test.ts', title: 'D8: so many files are told apart' },
  },
  {
    rule: 'file system: a folder whose entry was not synced is made again',
    file: 'src/adapters/durable.ts',
    from: '    if (made !== undefined) await removeEmpty(folder, dirname(made));\n',
    to: '',
    test: { file: 'src/adapters/filesystem/failed-sync.test.ts', title: 'of a new folder' },
  },
  {
    rule: 'file system: an object is synced before it has its name',
    file: 'src/adapters/filesystem/object-store.ts',
    from: '    await file.sync();\n',
    to: '',
    test: { file: files, title: 'D1: the object, its entry and the folders above it are synced before the answer' },
  },
  {
    rule: 'file system: the entry of an object is synced before the answer',
    file: 'src/adapters/filesystem/object-store.ts',
    from: '      await this.#folders.sync(dirname(path));\n',
    to: '',
    test: { file: files, title: 'D1: the object, its entry and the folders above it are synced before the answer' },
  },
  {
    rule: 'file system: a name is taken once',
    file: 'src/adapters/filesystem/object-store.ts',
    from: '      await link(temporary, path);\n',
    to: '      await copyFile(temporary, path);\n',
    test: { file: files, title: 'refuses a name that is taken with objects.exists and keeps the first object' },
  },
  {
    rule: 'S3: a name is taken once',
    file: 'src/adapters/s3/object-store.ts',
    from: "Metadata: metadata, IfNoneMatch: '*' });",
    to: 'Metadata: metadata });',
    test: { file: s3, title: 'refuses a name that is taken with objects.exists and keeps the first object' },
  },
  {
    rule: 'S3: an upload in parts takes a name once',
    file: 'src/adapters/s3/put-in-parts.ts',
    from: "UploadId, IfNoneMatch: '*', MultipartUpload",
    to: 'UploadId, MultipartUpload',
    test: { file: s3Unclear, title: 'D3: an upload in parts whose last answer is lost is recognised, too' },
  },
  {
    rule: 'S3: a put that is repeated recognises its own object',
    file: 'src/adapters/s3/object-store.ts',
    from: 'if (found?.token === put.token) return;',
    to: "if (found?.token === '') return;",
    test: {
      file: s3Unclear,
      title: 'D3: a put whose answer is lost, and which the driver repeats, recognises its own object',
    },
  },
  {
    rule: 'S3: the object of another one is not taken for its own',
    file: 'src/adapters/s3/object-store.ts',
    from: 'if (found?.token === put.token) return;',
    to: 'if (found !== undefined) return;',
    test: { file: s3, title: 'refuses a name that is taken with objects.exists and keeps the first object' },
  },
  {
    rule: 'D6: what DuckDB spills while it opens stays',
    file: 'src/adapters/duckdb/client.ts',
    from: 'if (name !== basename(folder)) await rm(',
    to: 'await rm(',
    test: {
      file: 'src/adapters/duckdb/recovery.test.ts',
      title: 'D6: a start that spills while it replays the log goes on as any other',
    },
  },
  {
    rule: 'a decimal of Avro keeps its sign',
    file: 'src/adapters/schema-registry/avro-logical.ts',
    from: "BigInt.asIntN(8 * bytes.length, BigInt(`0x${bytes.toString('hex')}`))",
    to: "BigInt(`0x${bytes.toString('hex')}`)",
    test: { file: 'src/adapters/schema-registry/avro-logical.test.ts', title: 'a decimal is its exact text' },
  },
  {
    rule: 'a sink that begins at a time has no event that arrived before',
    file: 'src/control/operations/prepare-sink.ts',
    from: 'Math.max(first, Math.min(found, stableEnd))',
    to: 'first',
    test: { file: 'src/control/life-cycle.test.ts', title: 'with a time it begins at the first event' },
  },
  {
    rule: 'DuckDB: a preview shows no row without the cells that are looked for',
    file: 'src/adapters/duckdb/preview-rows.ts',
    from: "conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`",
    to: "conditions.length === 0 ? '' : ` WHERE ${conditions.join(' OR ')}`",
    test: { file: duckdb, title: 'shows the rows whose cells are the wanted texts' },
  },
  {
    rule: 'DuckDB: the last rows are the last that were loaded',
    file: 'src/adapters/duckdb/preview-rows.ts',
    from: "last ? ' ORDER BY rowid DESC' : ''",
    to: "''",
    test: { file: duckdb, title: 'shows the last rows in the order of loading' },
  },
  {
    rule: 'D8: DuckDB: of the last rows the last ones are kept',
    file: 'src/adapters/duckdb/preview-rows.ts',
    from: 'return last ? rows.toReversed() : rows;',
    to: 'return rows;',
    test: { file: duckdb, title: 'D8: of the last rows the last ones are shown' },
  },
  {
    rule: 'PostgreSQL: the last rows are the last that were loaded',
    file: 'src/adapters/postgres/preview-rows.ts',
    from: 'if (last) return select([], ` ORDER BY ${order} DESC`);',
    to: '',
    test: { file: postgresTables, title: 'shows the last rows in the order of loading' },
  },
  {
    rule: 'D8: PostgreSQL: of the last rows the last ones are kept',
    file: 'src/adapters/postgres/preview-rows.ts',
    from: 'last ? sizes.toReversed() : sizes',
    to: 'sizes',
    test: { file: postgresTables, title: 'D8: of the last rows the last ones are shown' },
  },
  {
    rule: 'PostgreSQL: all conditions on cells hold',
    file: 'src/adapters/postgres/preview-rows.ts',
    from: 'const held = [...bounds, ...conditions];',
    to: 'const held = [...bounds, ...conditions.slice(0, 1)];',
    test: { file: postgresTables, title: 'shows the rows whose cells are the wanted texts' },
  },
  {
    rule: 'D9: no condition on a cell is lost, whatever its column is called',
    file: 'src/api/routes/storage/tables.ts',
    from: 'return conditions.length === entries.length ? conditions : undefined;',
    to: 'return conditions;',
    test: { file: 'src/api/storage.test.ts', title: 'A51: a condition that is none is refused' },
  },
];
