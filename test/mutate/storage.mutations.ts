import type { Mutation } from './mutation.ts';

/** Buckets, columns, files and imports: nothing is lost that somebody needs, nothing is loaded twice. */

const buckets = 'src/api/buckets.test.ts';
const columns = 'src/api/columns.test.ts';
const imports = 'src/api/imports.test.ts';
const crash = 'src/control/import-crash.test.ts';
const files = 'src/api/files.test.ts';
const collector = 'src/stages/import/file-collector.test.ts';

export const mutations: readonly Mutation[] = [
  {
    rule: 'K2: who is limited to components has nothing to do with tables',
    file: 'src/core/token.ts',
    from: "(scope.kind === 'limited' && scope.canManageBuckets)",
    to: "scope.kind === 'limited'",
    test: { file: 'src/api/credentials-of-routes.test.ts', title: 'is for those who may, and for nobody else' },
  },
  {
    rule: 'K2: who manages buckets may change them',
    file: 'src/core/token.ts',
    from: "(scope.kind === 'limited' && scope.canManageBuckets)",
    to: 'false',
    test: { file: 'src/api/credentials-of-routes.test.ts', title: 'is for those who may, and for nobody else' },
  },
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
  {
    rule: 'B4: an upload of another size leaves nothing',
    file: 'src/control/files/receive-file.ts',
    from: 'file.announcedBytes !== undefined && bytes !== file.announcedBytes',
    to: 'file.announcedBytes !== undefined && bytes > file.announcedBytes',
    test: { file: files, title: 'of another size than announced' },
  },
  {
    rule: 'B4: what is not uploaded is in no list',
    file: 'src/control/files/stored-files.ts',
    from: '    file.content !== undefined &&',
    to: '',
    test: { file: files, title: 'files are listed the newest first' },
  },
  {
    rule: 'B4: a long upload is no fault',
    file: 'src/listener/latest-exchanges.ts',
    from: 'return latest !== undefined && !latest.request.complete',
    to: 'return latest !== undefined && latest.request.complete',
    test: { file: 'src/listener/latest-exchanges.test.ts', title: 'is known while it arrives' },
  },
  {
    rule: 'B5: a file whose time is over is not found',
    file: 'src/control/files/stored-files.ts',
    from: 'if (found === undefined || isOver(found, clock.now()))',
    to: 'if (found === undefined)',
    test: { file: files, title: 'whose time is over is not found' },
  },
  {
    rule: 'B5: bytes that an upload may name stay',
    file: 'src/stages/import/file-collector.ts',
    from: 'clock.now() - parsed.stamp < limits.uploadLeaseMs',
    to: 'clock.now() - parsed.stamp < 0',
    test: { file: collector, title: 'bytes that no file names' },
  },
  {
    rule: 'B5: bytes of a document that cannot be read stay',
    file: 'src/stages/import/file-collector.ts',
    from: '(file === undefined || file.content?.object === name)',
    to: 'file?.content?.object === name',
    test: { file: collector, title: 'bytes that no file names' },
  },
  {
    rule: 'B6: a line end in two pieces is one',
    file: 'src/core/imports/csv-reader.ts',
    from: 'else this.#afterReturn = at === text.length;',
    to: 'else this.#afterReturn = false;',
    test: { file: 'src/core/imports/csv-reader.test.ts', title: 'in whatever pieces it comes' },
  },
  {
    rule: 'B6: the line of an error counts those inside cells',
    file: 'src/core/imports/csv-reader.ts',
    from: "        if (char === '\\n') this.#line += 1;\n      }",
    to: '      }',
    test: { file: 'src/core/imports/csv-reader.test.ts', title: 'is refused with line and column' },
  },
  {
    rule: 'B7: rows of a sink stay',
    file: 'src/control/imports/check-destination.ts',
    from: '  if (!isIncremental) await',
    to: '  if (Number(isIncremental) > 1) await',
    test: { file: imports, title: 'never taken away' },
  },
  {
    rule: 'B7: a line has a cell for each column',
    file: 'src/control/imports/write-rows.ts',
    from: 'cells.length !== columns.length',
    to: 'cells.length > columns.length',
    test: { file: imports, title: 'says where and why' },
  },
  {
    rule: 'B8: a job that a process left is taken up',
    file: 'src/control/control.ts',
    from: '    await resumeStorageJobs(this.parts, { signal });',
    to: '    await Promise.resolve(resumeStorageJobs);',
    test: { file: crash, title: 'stopped at each write' },
  },
  {
    rule: 'B8: a job whose row could not be made ends',
    file: 'src/control/imports/create-storage-job.ts',
    from: '        } finally {',
    to: '        } catch (thrown) {\n          throw thrown;\n        }\n        {',
    test: { file: crash, title: 'refused from each write on' },
  },
];
