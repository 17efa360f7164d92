import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32Checksum, parseChecksum } from '../../src/core/checksum.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import { isCancellation, MillraceError } from '../../src/core/millrace-error.ts';
import { deadLetterTable, parseTableId } from '../../src/core/table-id.ts';
import { contentOf, csvOf } from './staged-csv.ts';
import { deadRow, waiting, type StoreOnTest } from './store-on-test.ts';

/** What every store of tables keeps as `ImportLedger`. */
export function importLedgerContract(at: StoreOnTest): void {
  it('says that rows and ledger share a transaction, which the rules below are for', () => {
    expect(at.store.atomicity).toBe('sameTransaction');
  });

  describe('the ledger', () => {
    it('begins at number 0, loaded, and is made once', async () => {
      expect(await at.store.readLedger(at.incarnation, waiting)).toBeUndefined();
      await at.store.createLedger(at.incarnation, waiting);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0, verdict: 'loaded' });
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      await at.store.import(at.request(1, [['1', '2']]), waiting);
      await at.store.createLedger(at.incarnation, waiting);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({
        number: 1,
        id: 'import-1',
        verdict: 'loaded',
      });
    });

    it('is made once by several that make it at the same time', async () => {
      await Promise.all([1, 2, 3, 4].map(() => at.store.createLedger(at.incarnation, waiting)));
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0, verdict: 'loaded' });
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      await at.store.import(at.request(1, [['1', '2']]), waiting);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({
        number: 1,
        id: 'import-1',
        verdict: 'loaded',
      });
    });

    it('is gone when it is deleted', async () => {
      await at.store.createLedger(at.incarnation, waiting);
      await at.store.deleteLedger(at.incarnation, waiting);
      await at.store.deleteLedger(at.incarnation, waiting);
      expect(await at.store.readLedger(at.incarnation, waiting)).toBeUndefined();
    });

    it('D4: counts what its imports loaded, each once; what is given up, refused or repeated adds nothing', async () => {
      const loadedOf = async () => (await at.store.readLedger(at.incarnation, waiting))?.loaded;
      await at.made();
      expect(await loadedOf()).toEqual({ rows: 0, dead: 0 });
      const dead = [contentOf(csvOf([deadRow(1), deadRow(2)]))];
      const first = at.request(1, [['1', 'x']], {
        dead,
        expected: { rows: 1, dead: 2 },
        before: { rows: 70, dead: 70 },
      });
      await at.store.import(first, waiting);
      await at.store.import(first, waiting);
      expect(await loadedOf()).toEqual({ rows: 1, dead: 2 });
      await at.store.abandon(at.incarnation, { number: 2, id: 'given-up' }, waiting);
      await expect(
        at.store.import(at.request(3, [['1', 'x']], { expected: { rows: 2, dead: 0 } }), waiting),
      ).rejects.toMatchObject({ code: 'table.invalidContent' });
      expect(await loadedOf()).toEqual({ rows: 1, dead: 2 });
      await at.store.import(
        at.request(3, [
          ['2', 'y'],
          ['3', 'z'],
        ]),
        waiting,
      );
      expect(await loadedOf()).toEqual({ rows: 3, dead: 2 });
    });

    it('tells the rows of many incarnations at once, of those that have one', async () => {
      const other = parseIncarnation(700_000 + at.used);
      await at.made();
      await at.store.createLedger(other, waiting);
      await at.store.import(at.request(1, [['1', '2']]), waiting);
      const missing = Array.from({ length: 1000 }, (_, at) => parseIncarnation(10_000_000 + at));
      const found = await at.store.readLedgers([other, ...missing, at.incarnation], waiting);
      expect([...found].toSorted(([a], [b]) => a - b)).toEqual([
        [at.incarnation, { number: 1, id: 'import-1', verdict: 'loaded', loaded: { rows: 1, dead: 0 } }],
        [other, { number: 0, id: '', verdict: 'loaded', loaded: { rows: 0, dead: 0 } }],
      ]);
      expect((await at.store.readLedgers([], waiting)).size).toBe(0);
    });

    it('keeps every incarnation apart', async () => {
      const other = parseIncarnation(9_007_199_254_740_991);
      await at.made();
      await at.store.createLedger(other, waiting);
      await at.store.import(at.request(1, [['1', '2']]), waiting);
      expect(await at.store.readLedger(other, waiting)).toMatchObject({ number: 0 });
      await at.store.deleteLedger(other, waiting);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 1 });
    });
  });

  describe('imports', () => {
    it('loads the rows of all contents in order, by path and by stream, and moves the ledger', async () => {
      await at.made();
      const rows = [
        await at.fileOf(
          csvOf([
            ['1', 'x'],
            ['2', 'y'],
          ]),
        ),
        contentOf(csvOf([['3', 'z']])),
        contentOf(''),
      ];
      expect(await at.store.import(at.request(1, [], { rows, expected: { rows: 3, dead: 0 } }), waiting)).toBe(
        'loaded',
      );
      expect(await at.rowsOf()).toEqual([
        ['1', 'x'],
        ['2', 'y'],
        ['3', 'z'],
      ]);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({
        number: 1,
        id: 'import-1',
        verdict: 'loaded',
      });
      expect(await at.store.import(at.request(2, [['4', 'w']]), waiting)).toBe('loaded');
      expect((await at.rowsOf()).map(([first]) => first)).toEqual(['1', '2', '3', '4']);
      expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(4);
    });

    it('D3: a repeated import changes nothing and has the same answer', async () => {
      await at.made();
      const once = at.request(1, [['1', 'x']]);
      await at.store.import(once, waiting);
      expect(await at.store.import(once, waiting)).toBe('loaded');
      expect(await at.store.import({ ...once, rows: [], tableId: parseTableId('in.c-shop.gone') }, waiting)).toBe(
        'loaded',
      );
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
    });

    it.each([
      ['another id of the same number', 2, 'import-other'],
      ['the number before', 1, 'import-1'],
      ['a gap', 4, 'import-4'],
    ])('D3: %s is table.ledgerMismatch and loads nothing', async (_, number, id) => {
      await at.made();
      await at.store.import(at.request(1, [['1', 'x']]), waiting);
      await at.store.import(at.request(2, [['2', 'y']]), waiting);
      await expect(at.store.import(at.request(number, [['3', 'z']], { id }), waiting)).rejects.toMatchObject({
        code: 'table.ledgerMismatch',
        retryable: true,
      });
      expect(await at.rowsOf()).toHaveLength(2);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({
        number: 2,
        id: 'import-2',
        verdict: 'loaded',
      });
    });

    it('D3: without a ledger row it is table.ledgerMismatch and loads nothing', async () => {
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      await expect(at.store.import(at.request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({
        code: 'table.ledgerMismatch',
      });
      expect(await at.rowsOf()).toEqual([]);
      expect(await at.store.readLedger(at.incarnation, waiting)).toBeUndefined();
    });

    it('D3: of imports that race for one number exactly one loads', async () => {
      await at.made();
      const results = await Promise.allSettled(
        [1, 2, 3, 4].map((writer) =>
          at.store.import(at.request(1, [[`${writer}`, 'x']], { id: `writer-${writer}` }), waiting),
        ),
      );
      expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      const winner = `${results.findIndex(({ status }) => status === 'fulfilled') + 1}`;
      expect(await at.rowsOf()).toEqual([[winner, 'x']]);
      expect((await at.store.readLedger(at.incarnation, waiting))?.id).toBe(`writer-${winner}`);
    });

    it('D3: of the same import sent several times at once exactly one loads and all say loaded', async () => {
      await at.made();
      const results = await Promise.all([1, 2, 3].map(() => at.store.import(at.request(1, [['1', 'x']]), waiting)));
      expect(results).toEqual(['loaded', 'loaded', 'loaded']);
      expect(await at.rowsOf()).toHaveLength(1);
    });

    it('D2: what an aborted import did is found in the ledger', async () => {
      await at.made();
      const rows = Array.from({ length: 20_000 }, (_, row) => [`${row}`, 'x'.repeat(50)]);
      for (let number = 1; number <= 6; number += 1) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(), (number - 1) * 8);
        const answer: unknown = await at.store
          .import(at.request(number, rows), { signal: abort.signal })
          .catch((error: unknown) => (isCancellation(error) ? 'aborted' : error));
        expect(['loaded', 'aborted']).toContain(answer);
        const loaded = (await at.store.readLedger(at.incarnation, waiting))?.number === number;
        expect(loaded || answer === 'aborted').toBe(true);
        expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(
          (loaded ? number : number - 1) * rows.length,
        );
        expect(await at.store.import(at.request(number, rows), waiting)).toBe('loaded');
        expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(number * rows.length);
      }
    });

    it('rejects with the reason of a signal that was aborted before, and loads nothing', async () => {
      await at.made();
      await expect(at.store.import(at.request(1, [['1', 'x']]), { signal: AbortSignal.abort() })).rejects.toMatchObject(
        {
          name: 'AbortError',
        },
      );
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
    });

    it('D6: a missing table is table.notFound, and the import goes through when it is there', async () => {
      await at.store.createLedger(at.incarnation, waiting);
      await expect(at.store.import(at.request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({
        code: 'table.notFound',
      });
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
      await at.store.createTable(at.tableId, ['a', 'b'], waiting);
      expect(await at.store.import(at.request(1, [['1', 'x']]), waiting)).toBe('loaded');
    });

    it.each([[['a']], [['b', 'a']], [['a', 'b', 'c']], [['a', 'B']]])(
      'D6: a table with the columns %j is table.schemaMismatch, says both, and loads nothing',
      async (columns) => {
        await at.made(columns);
        const found = columns.map((column) => `"${column}"`).join(', ');
        await expect(at.store.import(at.request(1, [['1', 'x']]), waiting)).rejects.toMatchObject({
          code: 'table.schemaMismatch',
          message: `columns of the table "${at.tableId}" do not match expected ["a", "b"], found [${found}]`,
        });
        expect(await at.rowsOf()).toEqual([]);
        expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
      },
    );

    it.each([
      [
        'a line more than expected',
        csvOf([
          ['1', 'x'],
          ['2', 'y'],
        ]),
      ],
      ['a line less than expected', ''],
      ['a cell too few', '"1"\n'],
      ['a cell too many', '"1","secret","3"\n'],
      ['an open quote', '"1","secret\n'],
      ['text after a quote', '"1","secret"x\n'],
      [
        'bytes that are not UTF-8',
        Buffer.concat([Buffer.from('"1","secret'), Buffer.from([0xff, 0xfe]), Buffer.from('"\n')]),
      ],
    ])('D9: %s is table.invalidContent, loads nothing and shows no cell', async (_, csv) => {
      await at.made();
      const error: unknown = await at.store
        .import(at.request(1, [], { rows: [contentOf(csv)], expected: { rows: 1, dead: 0 } }), waiting)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: 'table.invalidContent', retryable: true });
      expect(error instanceof Error ? `${error.message} ${String(error.cause)}` : '').not.toContain('secret');
      expect(await at.rowsOf()).toEqual([]);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
      expect(await at.store.import(at.request(1, [['1', 'x']]), waiting)).toBe('loaded');
    });

    it('D2: dead letters go to their table in the same transaction', async () => {
      await at.made();
      const dead = [contentOf(csvOf([deadRow(1), deadRow(2)]))];
      await expect(
        at.store.import(at.request(1, [['1', 'x']], { dead, expected: { rows: 1, dead: 3 } }), waiting),
      ).rejects.toMatchObject({ code: 'table.invalidContent' });
      expect(await at.store.describeTable(deadLetterTable, waiting)).toBeUndefined();
      expect(await at.rowsOf()).toEqual([]);
      await at.store.import(at.request(1, [['1', 'x']], { dead, expected: { rows: 1, dead: 2 } }), waiting);
      await at.store.import(
        at.request(2, [], { dead: [contentOf(csvOf([deadRow(3)]))], expected: { rows: 0, dead: 1 } }),
        waiting,
      );
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
      expect(await at.rowsOf(deadLetterTable)).toEqual([deadRow(1), deadRow(2), deadRow(3)]);
      expect((await at.store.listTables(waiting)).map((table) => table.tableId)).toContain(deadLetterTable);
    });

    it('D2: a dead letter may be as long as the longest request body', async () => {
      await at.made();
      const long = [...deadRow(1).slice(0, -1), 'x'.repeat(24_000_000)];
      const dead = [contentOf(csvOf([long, deadRow(2)]))];
      await at.store.import(at.request(1, [], { dead, expected: { rows: 0, dead: 2 } }), waiting);
      expect((await at.rowsOf(deadLetterTable)).map((row) => row.at(-1)?.length)).toEqual([24_000_000, 6]);
    });

    it('loads nothing but moves the ledger when there is no content', async () => {
      await at.made();
      expect(await at.store.import(at.request(1, []), waiting)).toBe('loaded');
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 1 });
    });

    it('two sinks feed one table', async () => {
      await at.made();
      const other = parseIncarnation(900_000 + at.used);
      await at.store.createLedger(other, waiting);
      await Promise.all([
        at.store.import(at.request(1, [['1', 'x']]), waiting),
        at.store.import(at.request(1, [['2', 'y']], { incarnation: other }), waiting),
      ]);
      expect((await at.rowsOf()).toSorted(([a = ''], [b = '']) => a.localeCompare(b))).toEqual([
        ['1', 'x'],
        ['2', 'y'],
      ]);
    });

    it('takes 200 contents in one import', async () => {
      await at.made();
      const rows = await Promise.all(Array.from({ length: 200 }, (_, slice) => at.fileOf(csvOf([[`${slice}`, '']]))));
      await at.store.import(at.request(1, [], { rows, expected: { rows: 200, dead: 0 } }), waiting);
      expect((await at.rowsOf()).map(([first]) => Number(first))).toEqual(
        Array.from({ length: 200 }, (_, slice) => slice),
      );
    });
  });

  describe('content with a checksum', () => {
    const line = csvOf([['1', 'x'.repeat(300_000)]]);
    const staged = crc32Checksum(crc32(line));
    const flipped = (csv: string): Buffer => {
      const bytes = Buffer.from(csv);
      bytes[bytes.length - 100] = (bytes.at(-100) ?? 0) ^ 1;
      return bytes;
    };
    const expected = { rows: 1, dead: 0 };

    it.each([
      ['one flipped byte', flipped(line)],
      ['a byte that ends a cell', Buffer.from(line.replace('xx', '"x'))],
      ['an end that is missing', Buffer.from(line.slice(0, -10))],
      ['a line more', Buffer.from(line + line)],
      ['nothing', Buffer.alloc(0)],
    ])('D2: %s is objects.corrupt, by path and by stream, names the object and loads nothing', async (_, bytes) => {
      await at.made();
      for (const content of [contentOf(bytes, 'a/b.csv'), { ...(await at.fileOf(bytes)), name: 'a/b.csv' }]) {
        const rows = [contentOf(csvOf([['0', 'w']])), { ...content, bytes: line.length, checksum: staged }];
        const change = { rows, expected: { rows: 2, dead: 0 } };
        await expect(at.store.import(at.request(1, [], change), waiting)).rejects.toMatchObject({
          code: 'objects.corrupt',
          message: expect.stringContaining('"a/b.csv"') as string,
          details: { object: 'a/b.csv', expected: staged },
        });
        expect(await at.rowsOf()).toEqual([]);
        expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
      }
      const whole = [{ ...contentOf(line), checksum: staged }];
      expect(await at.store.import(at.request(1, [], { rows: whole, expected }), waiting)).toBe('loaded');
    });

    it('D2: a flipped byte of a dead letter is objects.corrupt and loads nothing', async () => {
      await at.made();
      const csv = csvOf([deadRow(1)]);
      for (const content of [contentOf(flipped(csv)), await at.fileOf(flipped(csv))]) {
        const dead = [{ ...content, checksum: crc32Checksum(crc32(csv)) }];
        const change = { dead, expected: { rows: 1, dead: 1 } };
        await expect(at.store.import(at.request(1, [['1', 'x']], change), waiting)).rejects.toMatchObject({
          code: 'objects.corrupt',
        });
        expect(await at.rowsOf()).toEqual([]);
      }
      const letters = await at.store.describeTable(deadLetterTable, waiting);
      expect(letters?.rows ?? 0).toBe(0);
    });

    it.each([
      ['altered', flipped(line)],
      ['cut', Buffer.from(line.slice(0, -10))],
    ])('D2: content that is read %s once and whole the second time is loaded once', async (_, wrong) => {
      await at.made();
      let reads = 0;
      const open = async (): Promise<Readable> => Readable.from([(reads += 1) === 1 ? wrong : Buffer.from(line)]);
      const rows = [{ ...contentOf(line), checksum: staged, open }];
      expect(await at.store.import(at.request(1, [], { rows, expected }), waiting)).toBe('loaded');
      expect((await at.rowsOf()).map(([first]) => first)).toEqual(['1']);
    });

    it('D2: content that is altered at every read is read twice, no more', async () => {
      await at.made();
      let reads = 0;
      const open = async (): Promise<Readable> => {
        reads += 1;
        return Readable.from([flipped(line)]);
      };
      const rows = [{ ...contentOf(line), checksum: staged, open }];
      await expect(at.store.import(at.request(1, [], { rows, expected }), waiting)).rejects.toMatchObject({
        code: 'objects.corrupt',
      });
      expect(reads).toBe(2);
    });

    it('D2: content with a checksum of a later algorithm is loaded as it is', async () => {
      await at.made();
      const checksum = parseChecksum('later:00');
      const rows = [{ ...contentOf(line), ...(checksum === undefined ? {} : { checksum }) }];
      expect(await at.store.import(at.request(1, [], { rows, expected }), waiting)).toBe('loaded');
    });
  });

  describe('content that is compressed', () => {
    const lines = csvOf(Array.from({ length: 2000 }, (_, row) => [`${row}`, `row ${row * 7919}`]));
    const zipped = gzipSync(lines, { level: 1 });
    const described = {
      name: 'a/b.csv',
      bytes: lines.length,
      checksum: crc32Checksum(crc32(lines)),
      compressed: { as: 'gzip' as const, bytes: zipped.length },
    };
    const expected = { rows: 2000, dead: 0 };
    const both = async (bytes: Buffer) =>
      [contentOf(bytes), await at.fileOf(bytes)].map((content) => ({ ...content, ...described }));

    it('D2: is loaded as its lines, by path and by stream, beside content that is not', async () => {
      await at.made();
      const rows = [contentOf(csvOf([['first', 'w']])), ...(await both(zipped))];
      const change = { rows, expected: { rows: 4001, dead: 0 } };
      expect(await at.store.import(at.request(1, [], change), waiting)).toBe('loaded');
      const loaded = await at.rowsOf();
      expect([loaded[0], loaded[1], loaded[2000], loaded[2001], loaded[4000]].map((row) => row?.[0])).toEqual([
        'first',
        '0',
        '1999',
        '0',
        '1999',
      ]);
    });

    it('D2: dead letters are loaded as their lines', async () => {
      await at.made();
      const letters = csvOf([deadRow(1), deadRow(2)]);
      const bytes = gzipSync(letters);
      const compressed = { as: 'gzip' as const, bytes: bytes.length };
      const about = { ...described, bytes: letters.length, checksum: crc32Checksum(crc32(letters)), compressed };
      const change = { dead: [{ ...(await at.fileOf(bytes)), ...about }], expected: { rows: 1, dead: 2 } };
      expect(await at.store.import(at.request(1, [['1', 'x']], change), waiting)).toBe('loaded');
      expect((await at.store.describeTable(deadLetterTable, waiting))?.rows).toBe(2);
    });

    /** As long as what was staged, so that nothing but its content tells them apart. */
    const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc(zipped.length - bytes.length)]);
    const flip = (index: number): Buffer => {
      const bytes = Buffer.from(zipped);
      bytes[index] = (bytes[index] ?? 0) ^ 1;
      return bytes;
    };

    it.each([
      ['one flipped byte', flip(zipped.length >> 1)],
      ['a flipped byte of its first ones', flip(0)],
      ['a flipped byte of its own checksum', flip(zipped.length - 6)],
      ['an end that is missing', zipped.subarray(0, -1)],
      ['a half', zipped.subarray(0, zipped.length >> 1)],
      ['nothing', Buffer.alloc(0)],
      ['lines that are not compressed', Buffer.from(lines)],
      ['a member more', Buffer.concat([zipped, gzipSync(csvOf([['2000', 'x']]))])],
      ['a member more, of nothing', Buffer.concat([zipped, gzipSync('')])],
      ['bytes behind its end', Buffer.concat([zipped, Buffer.alloc(3)])],
      ['other lines', padded(gzipSync(csvOf([['1', 'x']])))],
    ])('D2: %s is objects.corrupt, by path and by stream, names the object and loads nothing', async (_, bytes) => {
      await at.made();
      for (const content of await both(bytes)) {
        await expect(at.store.import(at.request(1, [], { rows: [content], expected }), waiting)).rejects.toMatchObject({
          code: 'objects.corrupt',
          message: expect.stringContaining('"a/b.csv" is not as it was staged') as string,
          details: { object: 'a/b.csv', expected: described.checksum },
        });
        expect(await at.rowsOf()).toEqual([]);
        expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
      }
      const [whole = contentOf(zipped)] = await both(zipped);
      expect(await at.store.import(at.request(1, [], { rows: [whole], expected }), waiting)).toBe('loaded');
    });

    it('D8: what becomes more than its lines is given up where they end, not at its own end', async () => {
      await at.made();
      const bomb = gzipSync(randomBytes(4 * 1024 * 1024));
      let given = 0;
      const open = async (): Promise<Readable> =>
        Readable.from(
          (function* () {
            for (let start = 0; start < bomb.length; start += 1024) {
              given += 1;
              yield bomb.subarray(start, start + 1024);
            }
          })(),
          { highWaterMark: 1 },
        );
      const rows = [
        { ...contentOf(bomb), ...described, open, compressed: { as: 'gzip' as const, bytes: bomb.length } },
      ];
      await expect(at.store.import(at.request(1, [], { rows, expected }), waiting)).rejects.toMatchObject({
        code: 'objects.corrupt',
        message: `"a/b.csv" is not as it was staged: it becomes more than ${lines.length} bytes`,
      });
      // Read twice, as whatever differs, and to its end neither time.
      expect(given).toBeLessThan(bomb.length / 1024);
    });

    it('D2: a store that is away in the middle is that, and not damage', async () => {
      await at.made();
      const away = new MillraceError('objects.unavailable', 'the store is away');
      const open = async (): Promise<Readable> =>
        Readable.from(
          (function* () {
            yield zipped.subarray(0, 100);
            throw away;
          })(),
        );
      const rows = [{ ...contentOf(zipped), ...described, open }];
      await expect(at.store.import(at.request(1, [], { rows, expected }), waiting)).rejects.toMatchObject({
        code: 'objects.unavailable',
      });
    });
  });

  describe('giving an import up', () => {
    it('D3: moves the ledger, loads nothing, and the import of that number follows the verdict', async () => {
      await at.made();
      const attempt = { number: 1, id: 'import-1' };
      expect(await at.store.abandon(at.incarnation, attempt, waiting)).toBe('abandoned');
      expect(await at.store.abandon(at.incarnation, attempt, waiting)).toBe('abandoned');
      expect(await at.store.import(at.request(1, [['1', 'x']]), waiting)).toBe('abandoned');
      expect(await at.rowsOf()).toEqual([]);
      expect(await at.store.import(at.request(2, [['1', 'x']]), waiting)).toBe('loaded');
      expect(await at.rowsOf()).toHaveLength(1);
    });

    it('D3: an import that was loaded stays loaded', async () => {
      await at.made();
      await at.store.import(at.request(1, [['1', 'x']]), waiting);
      expect(await at.store.abandon(at.incarnation, { number: 1, id: 'import-1' }, waiting)).toBe('loaded');
      expect(await at.rowsOf()).toHaveLength(1);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ verdict: 'loaded' });
    });

    it('D3: any other number, another id or no ledger is table.ledgerMismatch', async () => {
      const refused = { code: 'table.ledgerMismatch' };
      await expect(at.store.abandon(at.incarnation, { number: 1, id: 'x' }, waiting)).rejects.toMatchObject(refused);
      await at.made();
      await at.store.import(at.request(1, []), waiting);
      await expect(at.store.abandon(at.incarnation, { number: 1, id: 'x' }, waiting)).rejects.toMatchObject(refused);
      await expect(at.store.abandon(at.incarnation, { number: 3, id: 'x' }, waiting)).rejects.toMatchObject(refused);
    });

    it('D3: an import and its giving up race: both have the one verdict that the table shows', async () => {
      await at.made();
      for (let number = 1, rows = 0; number <= 5; number += 1) {
        const verdicts = await Promise.all([
          at.store.import(at.request(number, [['1', 'x']]), waiting),
          at.store.abandon(at.incarnation, { number, id: `import-${number}` }, waiting),
        ]);
        expect(verdicts[0]).toBe(verdicts[1]);
        rows += verdicts[0] === 'loaded' ? 1 : 0;
        expect(await at.rowsOf()).toHaveLength(rows);
      }
    });
  });

  it('an import that is aborted while its content arrives rejects with the reason and loads nothing', async () => {
    await at.made();
    const reason = new Error('stopped');
    const stop = new AbortController();
    const endless = async function* () {
      for (let row = 0; ; row += 1) {
        yield Buffer.from(csvOf([[`${row}`, 'x'.repeat(1_000)]]));
        if (row === 100) stop.abort(reason);
        await new Promise((resolve) => setImmediate(resolve));
      }
    };
    const content = { ...contentOf('x'), bytes: 1_000_000_000, open: async () => Readable.from(endless()) };
    const change = { rows: [content], expected: { rows: 1_000_000, dead: 0 } };
    await expect(at.store.import(at.request(1, [], change), { signal: stop.signal })).rejects.toBe(reason);
    expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
    expect(await at.store.import(at.request(1, [['1', 'x']]), waiting)).toBe('loaded');
    expect(await at.rowsOf()).toEqual([['1', 'x']]);
  });

  it('D6: content that cannot be opened or breaks off is the error of its store, and loads nothing', async () => {
    await at.made();
    const gone = new MillraceError('objects.notFound', 'there is none');
    const broken = async function* () {
      yield Buffer.from(csvOf([['1', 'x']]));
      throw gone;
    };
    for (const open of [() => Promise.reject(gone), async () => Readable.from(broken())]) {
      const rows = [contentOf(csvOf([['0', 'w']])), { ...contentOf('x'), open }];
      await expect(
        at.store.import(at.request(1, [], { rows, expected: { rows: 2, dead: 0 } }), waiting),
      ).rejects.toMatchObject({ code: 'objects.notFound' });
      expect(await at.rowsOf()).toEqual([]);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 0 });
    }
  });

  it('D3: lines of former columns go to their places in a table that has others by now, in their order', async () => {
    await at.made(['x', 'c', 'a']);
    const placed = { columns: ['x', 'c', 'a'], cells: [1, null, 0] };
    const lines = Array.from({ length: 50 }, (_, index) => [`${index}`, `b "${index}", ä`]);
    const request = at.request(1, lines, { placed });
    expect(await at.store.import(request, waiting)).toBe('loaded');
    expect(await at.store.import(request, waiting)).toBe('loaded');
    const rows = lines.map(([a, b]) => [b, '', a]);
    expect(await at.rowsOf()).toEqual(rows);
    expect((await at.store.readLedger(at.incarnation, waiting))?.loaded).toEqual({ rows: 50, dead: 0 });
    await at.store.import(
      at.request(2, [['only a', 'b']], { placed: { columns: ['x', 'c', 'a'], cells: [null, null, 0] } }),
      waiting,
    );
    expect((await at.rowsOf()).at(-1)).toEqual(['', '', 'only a']);
    // As many lines as were staged, and the table as it was said to be.
    const short = at.request(3, [['1', '2']], { placed, expected: { rows: 2, dead: 0 } });
    await expect(at.store.import(short, waiting)).rejects.toMatchObject({ code: 'table.invalidContent' });
    const other = at.request(3, [['1', '2']], { placed: { columns: ['x', 'a', 'c'], cells: [1, null, 0] } });
    await expect(at.store.import(other, waiting)).rejects.toMatchObject({ code: 'table.schemaMismatch' });
    expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(51);
  });
}
