import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { matching } from '../support/matching.ts';
import { endedStorageJob, uploadedFile, type ShownStorageJob } from '../support/storage-jobs.ts';
import type { TableId } from '../../src/core/table-id.ts';
import { adminOnStores, type OpenStores } from './admin-on-stores.ts';

const { signal } = new AbortController();

/** What `/v2/storage` promises of tables that are loaded from files, whatever keeps the tables and the files. */
export function importsContract(name: string, openStores: OpenStores): void {
  describe(name, () => {
    const admin = adminOnStores(openStores);

    const uploaded = (content: string | Uint8Array<ArrayBuffer>) => uploadedFile(content, { base: admin.harness.base });
    const ended = (job: ShownStorageJob) => endedStorageJob(admin.harness.api, job);

    const T = (tableId: string): string => `/v2/storage/tables/${tableId}`;
    const create = (bucket: string, body: object) =>
      admin.harness.api.request('POST', `/v2/storage/buckets/${bucket}/tables-async`, body);
    const load = (tableId: string, body: object) =>
      admin.harness.api.request('POST', `${T(tableId)}/import-async`, body);
    const rowsOf = async (tableId: string) =>
      (await admin.harness.dependencies.pages.preview(tableId as TableId, { limit: 100 }, { signal })).rows;

    async function made(
      tableId: string,
      columns: readonly string[],
      primaryKey: readonly string[] = [],
    ): Promise<void> {
      await admin.harness.dependencies.tables.createTable(tableId as TableId, columns, { signal, primaryKey });
    }

    async function loaded(
      tableId: string,
      content: string | Uint8Array<ArrayBuffer>,
      body: object = {},
    ): Promise<ShownStorageJob> {
      const answer = await load(tableId, { dataFileId: await uploaded(content), ...body });
      expect(answer).toMatchObject({ status: 202 });
      return ended(answer.body as ShownStorageJob);
    }

    test('B7: a table is made of a file by a job, with its columns and its key', async () => {
      const dataFileId = await uploaded('\uFEFFid,"the name"\r\n1,"A ""x"", b"\r\n2,\r\n1,c\r\n');
      const answer = await create('in.c-made', { name: 't', dataFileId, primaryKey: 'id' });
      expect(answer).toMatchObject({
        status: 202,
        body: {
          status: matching(/waiting|processing|success/),
          tableId: 'in.c-made.t',
          operationName: 'tableCreate',
          operationParams: { source: { fileId: dataFileId } },
          creatorToken: { id: 1 },
        },
      });
      expect(await ended(answer.body as ShownStorageJob)).toMatchObject({
        status: 'success',
        results: { id: 'in.c-made.t', totalRowsCount: 3, importedColumns: ['id', 'the name'] },
        startTime: matching(/\+0000$/),
        endTime: matching(/\+0000$/),
      });
      expect(await admin.harness.api.call('GET', T('in.c-made.t'))).toMatchObject({
        columns: ['id', 'the name'],
        primaryKey: ['id'],
      });
      const kept = await rowsOf('in.c-made.t');
      expect(kept).toHaveLength(2);
      expect(kept).toEqual(
        expect.arrayContaining([
          ['1', 'c'],
          ['2', ''],
        ]),
      );
      const exists = { status: 400, body: { code: 'storage.buckets.tableAlreadyExists' } };
      expect(await create('in.c-made', { name: 't', dataFileId })).toMatchObject(exists);
      const [newest] = await admin.harness.api.call<readonly ShownStorageJob[]>('GET', '/v2/storage/jobs?limit=1');
      expect(newest).toMatchObject({ tableId: 'in.c-made.t', status: 'success' });
    });

    test('B7: a load adds rows or takes the place of those that were there, columns in any order', async () => {
      await made('in.c-load.t', ['a', 'b']);
      expect(await loaded('in.c-load.t', 'b,a\n2,1\n')).toMatchObject({ status: 'success' });
      expect(await loaded('in.c-load.t', 'a,b\n3,4\n', { incremental: 1 })).toMatchObject({ status: 'success' });
      expect(await rowsOf('in.c-load.t')).toEqual([
        ['1', '2'],
        ['3', '4'],
      ]);
      expect(await loaded('in.c-load.t', 'a,b\n5,6\n')).toMatchObject({ status: 'success' });
      expect(await rowsOf('in.c-load.t')).toEqual([['5', '6']]);
      expect(await loaded('in.c-load.t', 'a,b\n', { incremental: true })).toMatchObject({
        results: { totalRowsCount: 0 },
      });
      expect(await rowsOf('in.c-load.t')).toEqual([['5', '6']]);
    });

    test('B7: the form of a file is told: delimiter, enclosure, escape, no header, columns, lines left out, gzip', async () => {
      await made('in.c-form.t', ['a', 'b']);
      const forms: readonly (readonly [string | Uint8Array<ArrayBuffer>, object])[] = [
        ["'1'\t'x\\'y'\n", { delimiter: '\t', enclosure: "'", escapedBy: '\\', withoutHeaders: true }],
        ['x;1\n', { delimiter: ';', columns: ['b', 'a'] }],
        ['# a comment\na,b\n1,"2\n3"\n', { ignoredLinesCount: 1 }],
        [Uint8Array.from(gzipSync('a,b\n1,gz\n')), {}],
        ['a"b,c"d\n', { enclosure: '', withoutHeaders: 'true' }],
      ];
      for (const [content, form] of forms)
        expect(await loaded('in.c-form.t', content, { incremental: true, ...form })).toMatchObject({
          status: 'success',
        });
      expect(await rowsOf('in.c-form.t')).toEqual([
        ['1', "x'y"],
        ['1', 'x'],
        ['1', '2\n3'],
        ['1', 'gz'],
        ['a"b', 'c"d'],
      ]);
    });

    test.each([
      ['a,b\n1,2\n3\n', 'Line 3: it has 1 cell, and there are 2 columns.'],
      ['a,b\n1,x"y\n', 'Line 2, column 2: "\\"" stands inside a cell that is not enclosed'],
      ['a,b\n"1,2\n', 'Line 2, column 1: the cell that begins here is not closed'],
      ['a,b\n1,\u0000\n', 'Line 2, column 2: a cell cannot hold the character U+0000'],
      ['a\n1\n', 'Missing columns: b.'],
      ['a,b,c\n1,2,3\n', 'does not have these columns of the file: c.'],
      ['a,A\n1,2\n', 'Column 2 of the header: "A" stands twice'],
      ['a,\n1,2\n', 'Column 2 of the header: its name must have 1 to 64 characters'],
      ['', 'The file is empty'],
      [Uint8Array.from([97, 44, 98, 10, 0xff, 44, 50, 10]), 'The file is not valid UTF-8.'],
      [Uint8Array.from([0x1f, 0x8b, 8, 0, 1, 2, 3]), 'The gzip of the file is damaged'],
      [Uint8Array.from(gzipSync('a,b\n1,2\n').subarray(0, 20)), 'The gzip of the file is damaged'],
    ])(
      'B7: a file that cannot be loaded says where and why, and nothing of it is loaded: %#',
      async (content, message) => {
        const tableId = 'in.c-wrong.t';
        await admin.harness.dependencies.tables
          .createTable(tableId as TableId, ['a', 'b'], { signal })
          .catch(() => undefined);
        const job = await loaded(tableId, content, { incremental: true });
        expect(job).toMatchObject({ status: 'error', error: { code: 'import.invalid' } });
        expect(job.error?.message).toContain(message);
        expect(await rowsOf(tableId)).toEqual([]);
      },
    );

    test.each([
      [{}, '"dataFileId" is missing from body'],
      [{ dataFileId: 'x' }, 'ody.dataFileId must be the number of a file'],
      [{ dataFileId: 1, delimiter: '||' }, 'ody.delimiter must be one character'],
      [{ dataFileId: 1, delimiter: '\n' }, 'ody.delimiter must be one character'],
      [{ dataFileId: 1, enclosure: 'ab' }, 'ody.enclosure must be one character'],
      [{ dataFileId: 1, incremental: 'maybe' }, 'ody.incremental must be true or false'],
      [{ dataFileId: 1, columns: [1] }, 'ody.columns must be a list'],
      [{ dataFileId: 1, treatValuesAsNull: ['NULL'] }, 'no cell of a table is ever NULL'],
    ])('B7: a load that cannot be asked for is refused in words: %#', async (body, text) => {
      await admin.harness.dependencies.tables
        .createTable('in.c-asked.t' as TableId, ['a'], { signal })
        .catch(() => undefined);
      const answer = await load('in.c-asked.t', body);
      expect(answer).toMatchObject({ status: 400, body: { code: 'storage.tables.validation' } });
      expect(answer.text.replaceAll('\\"', '"')).toContain(text);
    });

    test('B7: files, tables and jobs that are not there are', async () => {
      await made('in.c-none.t', ['a']);
      const file = { status: 404, body: { code: 'storage.files.notFound' } };
      expect(await load('in.c-none.t', { dataFileId: 999_999 })).toMatchObject(file);
      const { id } = await admin.harness.api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'w' });
      const early = { status: 400, body: { code: 'storage.fileNotUploaded' } };
      expect(await load('in.c-none.t', { dataFileId: id })).toMatchObject(early);
      expect(await load('in.c-none.u', { dataFileId: id })).toMatchObject({ status: 404 });
      const own = { status: 400, body: { code: 'storage.tables.validation' } };
      expect(await create('sys.c-millrace', { name: 't', dataFileId: await uploaded('a\n1\n') })).toMatchObject(own);
      for (const job of ['0', '999', 'x', '1e3'])
        expect((await admin.harness.api.request('GET', `/v2/storage/jobs/${job}`)).status).toBe(404);
    });

    test('B7: rows of a table that a sink fills are added to, and never taken away', async () => {
      const sinks = [
        { name: 'k', table: { tableId: 'in.c-sink.t', mapping: { columns: [{ type: 'uuid', name: 'a' }] } } },
      ];
      await admin.harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'importing', sinks });
      const refused = await load('in.c-sink.t', { dataFileId: await uploaded('a\n1\n') });
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'storage.tables.inUse', error: matching(/importing\/k fills it/) },
      });
      expect(await loaded('in.c-sink.t', 'a\n1\n', { incremental: true })).toMatchObject({ status: 'success' });
      expect(await rowsOf('in.c-sink.t')).toEqual([['1']]);
    });

    test('B7: many imports into one table are loaded once each', async () => {
      await made('in.c-many.t', ['a']);
      const file = await uploaded('a\n1\n');
      const answers = await Promise.all(
        Array.from({ length: 30 }, () => load('in.c-many.t', { dataFileId: file, incremental: true })),
      );
      for (const answer of answers)
        expect(await ended(answer.body as ShownStorageJob)).toMatchObject({ status: 'success' });
      expect(await admin.harness.api.call('GET', T('in.c-many.t'))).toMatchObject({ rowsCount: 30 });
    });
  });
}
