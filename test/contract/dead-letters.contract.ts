import { crc32 } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { crc32Checksum } from '../../src/core/checksum.ts';
import { deadLetterColumns, type DeadLetterCells } from '../../src/core/dead-letter.ts';
import { parseIncarnation, type Incarnation } from '../../src/core/ids.ts';
import { deadLetterTable } from '../../src/core/table-id.ts';
import type { NextLetters } from '../../src/ports/dead-letters.ts';
import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import { contentOf, csvOf } from './staged-csv.ts';
import { deadRow, waiting, type StoreOnTest } from './store-on-test.ts';

type Letter = Partial<DeadLetterCells>;

/** What every store of tables keeps as `DeadLetters`, and what an import does that replaces some of them. */
export function deadLettersContract(at: StoreOnTest): void {
  const lineOf = (letter: Letter, incarnation: Incarnation = at.incarnation): string[] =>
    deadLetterColumns.map((column) => letter[column] ?? (column === 'incarnation' ? String(incarnation) : ''));
  const lettersOf = (letters: readonly Letter[], incarnation?: Incarnation): Partial<ImportRequest> => ({
    dead: [contentOf(csvOf(letters.map((letter) => lineOf(letter, incarnation))))],
    expected: { rows: 0, dead: letters.length },
  });
  const letter = (offset: number, more: Letter = {}): Letter => ({
    partition: '0',
    offset: String(offset),
    event_id: `event-${offset}`,
    ...more,
  });
  const read = async (query: Partial<NextLetters> = {}) => {
    const whole = { incarnation: at.incarnation, where: [], limit: 100, maxBytes: 1_000_000, ...query };
    return (await at.store.nextLetters(whole, waiting)).map(({ partition, offset, event_id: id }) => [
      partition,
      offset,
      id,
    ]);
  };
  const offsets = async (query: Partial<NextLetters> = {}) => (await read(query)).map(([, offset]) => Number(offset));
  const replacing = (
    number: number,
    keys: readonly (readonly [number, number, string])[],
    change: Partial<ImportRequest> = {},
  ): ImportRequest => {
    const letters = [contentOf(csvOf(keys.map((key) => key.map(String))))];
    return at.request(number, [[`${number}`, 'replayed']], {
      replaced: { letters, expected: keys.length },
      ...change,
    });
  };
  const key = (offset: number): readonly [number, number, string] => [0, offset, `event-${offset}`];

  describe('letters', () => {
    it('are none where there is no table', async () => {
      expect(await read()).toEqual([]);
    });

    it('come in the order of partition, offset and id, numbers as numbers, page by page and each once', async () => {
      await at.made();
      const many = [
        letter(10),
        letter(9),
        letter(2, { partition: '10' }),
        letter(3, { partition: '2' }),
        letter(9, { event_id: 'event-9a' }),
        letter(9, { event_id: 'event-9Z' }),
      ];
      await at.store.import(at.request(1, [], lettersOf(many)), waiting);
      const sorted = [
        ['0', '9', 'event-9'],
        ['0', '9', 'event-9Z'],
        ['0', '9', 'event-9a'],
        ['0', '10', 'event-10'],
        ['2', '3', 'event-3'],
        ['10', '2', 'event-2'],
      ];
      expect(await read()).toEqual(sorted);
      const paged: string[][] = [];
      for (;;) {
        const [partition = '', offset = '', eventId = ''] = paged.at(-1) ?? [];
        const after =
          paged.length === 0 ? {} : { after: { partition: Number(partition), offset: Number(offset), eventId } };
        const page = await read({ ...after, limit: 2 });
        if (page.length === 0) break;
        expect(page.length).toBeLessThanOrEqual(2);
        paged.push(...page);
      }
      expect(paged).toEqual(sorted);
    });

    it('are whole, and those of the incarnation alone; what somebody wrote there by hand is nobody’s', async () => {
      const other = parseIncarnation(600_000 + at.used);
      await at.made();
      await at.store.createLedger(other, waiting);
      const full = lineOf(
        letter(7, { headers: '{"A":"x,\\"y\\""}', body: 'e30=', column: 'c', message: 'zwei\nZeilen' }),
      );
      const dead = [contentOf(csvOf([full, deadRow(1)]))];
      await at.store.import(at.request(1, [], { dead, expected: { rows: 0, dead: 2 } }), waiting);
      await at.store.import(
        at.request(1, [], { incarnation: other, ...lettersOf([letter(8), letter(0, { partition: 'none' })], other) }),
        waiting,
      );
      const found = await at.store.nextLetters(
        { incarnation: at.incarnation, where: [], limit: 10, maxBytes: 1_000_000 },
        waiting,
      );
      expect(found).toEqual([Object.fromEntries(deadLetterColumns.map((column, cell) => [column, full[cell]]))]);
      expect(await offsets({ incarnation: other })).toEqual([8]);
    });

    it('are those for which all conditions hold', async () => {
      await at.made();
      const day = (n: number): string => new Date(Date.UTC(2026, 0, n)).toISOString();
      const many = [
        letter(1, { reason: 'pathNotFound', column: 'a', arrived_at: day(1) }),
        letter(2, { reason: 'pathNotFound', column: 'b', arrived_at: day(2) }),
        letter(3, { reason: 'templateError', column: 'a', arrived_at: day(3) }),
      ];
      await at.store.import(at.request(1, [], lettersOf(many)), waiting);
      const [missing, first] = [
        { column: 'reason', value: 'pathNotFound' },
        { column: 'column', value: 'a' },
      ];
      expect(await offsets({ where: [missing] })).toEqual([1, 2]);
      expect(await offsets({ where: [missing, first] })).toEqual([1]);
      expect(await offsets({ where: [{ column: 'arrived_at', from: day(2) }] })).toEqual([2, 3]);
      const after = { partition: 0, offset: 1, eventId: 'event-1' };
      expect(await offsets({ where: [first], after })).toEqual([3]);
    });

    it('D8: are no more than so many bytes, and one at least', async () => {
      await at.made();
      const many = [1, 2, 3].map((offset) => letter(offset, { body: 'x'.repeat(1000) }));
      await at.store.import(at.request(1, [], lettersOf(many)), waiting);
      expect(await offsets({ maxBytes: 2500 })).toEqual([1, 2]);
      expect(await offsets({ maxBytes: 10 })).toEqual([1]);
    });
  });

  describe('an import that replaces letters', () => {
    const state = async () => ({
      rows: (await at.rowsOf()).map(([first]) => first),
      letters: await offsets(),
      ledger: await at.store.readLedger(at.incarnation, waiting),
    });
    const dead = async (): Promise<void> => {
      await at.made();
      const other = parseIncarnation(500_000 + at.used);
      await at.store.createLedger(other, waiting);
      await at.store.import(at.request(1, [], lettersOf([letter(1), letter(2), letter(3)])), waiting);
      await at.store.import(at.request(1, [], { incarnation: other, ...lettersOf([letter(1)], other) }), waiting);
    };

    it('D3: its rows come, the letters go and the ledger moves, in one transaction, once', async () => {
      await dead();
      const replay = replacing(2, [key(1), key(3)]);
      const after = {
        rows: ['2'],
        letters: [2],
        ledger: { number: 2, id: 'import-2', verdict: 'loaded', loaded: { rows: 1, dead: 1 } },
      };
      expect(await at.store.import(replay, waiting)).toBe('loaded');
      expect(await state()).toEqual(after);
      expect(await at.store.import(replay, waiting)).toBe('loaded');
      expect(await state()).toEqual(after);
      // Of another incarnation none has gone.
      expect(await offsets({ incarnation: parseIncarnation(500_000 + at.used) })).toEqual([1]);
      expect((await at.store.describeTable(deadLetterTable, waiting))?.rows).toBe(2);
    });

    it.each([
      ['one is not there', [key(1), key(9)]],
      ['one has another id', [[0, 1, 'event-2']] as const],
      ['one stands in another partition', [[1, 1, 'event-1']] as const],
      ['one is named twice', [key(1), key(1)]],
    ])('D3: loads nothing, deletes nothing and is table.lettersGone when %s', async (_, keys) => {
      await dead();
      const before = await state();
      await expect(at.store.import(replacing(2, keys), waiting)).rejects.toMatchObject({
        code: 'table.lettersGone',
        details: { named: keys.length },
      });
      expect(await state()).toEqual(before);
      expect(await at.store.import(replacing(2, [key(1)]), waiting)).toBe('loaded');
    });

    it('D3: a letter that is there twice is not taken', async () => {
      await dead();
      await at.store.import(at.request(2, [], lettersOf([letter(1)])), waiting);
      await expect(at.store.import(replacing(3, [key(1)]), waiting)).rejects.toMatchObject({
        code: 'table.lettersGone',
      });
      expect((await state()).letters).toEqual([1, 1, 2, 3]);
    });

    it('D3: of two that take the same letter under numbers that follow each other one loads', async () => {
      await dead();
      await at.store.import(replacing(2, [key(1)]), waiting);
      await expect(at.store.import(replacing(3, [key(1)]), waiting)).rejects.toMatchObject({
        code: 'table.lettersGone',
      });
      expect(await state()).toMatchObject({ rows: ['2'], letters: [2, 3] });
    });

    it('D2: deletes nothing when its rows are refused, or it was given up', async () => {
      await dead();
      const before = await state();
      const wrong = replacing(2, [key(1)], { expected: { rows: 2, dead: 0 } });
      await expect(at.store.import(wrong, waiting)).rejects.toMatchObject({ code: 'table.invalidContent' });
      expect(await state()).toEqual(before);
      await at.store.abandon(at.incarnation, { number: 2, id: 'import-2' }, waiting);
      expect(await at.store.import(replacing(2, [key(1)]), waiting)).toBe('abandoned');
      expect(await state()).toMatchObject({ rows: [], letters: [1, 2, 3] });
    });

    it('D2: of altered keys it deletes nothing', async () => {
      await dead();
      const csv = csvOf([key(1).map(String)]);
      const other = csv.replace('event-1', 'event-2').replace('"1"', '"2"');
      for (const content of [contentOf(other), await at.fileOf(other)]) {
        const letters = [{ ...content, checksum: crc32Checksum(crc32(csv)) }];
        const altered = replacing(2, [], { replaced: { letters, expected: 1 } });
        await expect(at.store.import(altered, waiting)).rejects.toMatchObject({ code: 'objects.corrupt' });
      }
      expect((await state()).letters).toEqual([1, 2, 3]);
    });

    it('takes letters alone, when none of them becomes a row', async () => {
      await dead();
      const filtered = replacing(2, [key(1), key(2)], { rows: [], expected: { rows: 0, dead: 0 } });
      expect(await at.store.import(filtered, waiting)).toBe('loaded');
      expect(await state()).toMatchObject({ rows: [], letters: [3], ledger: { loaded: { rows: 0, dead: 1 } } });
    });

    it('loads nothing where there is no table of dead letters', async () => {
      await at.made();
      await expect(at.store.import(replacing(1, [key(1)]), waiting)).rejects.toMatchObject({
        code: 'table.lettersGone',
      });
      expect(await at.rowsOf()).toEqual([]);
    });

    it('takes 1,000 letters of 5,000', async () => {
      await at.made();
      const all = Array.from({ length: 5000 }, (_, offset) => letter(offset));
      await at.store.import(at.request(1, [], lettersOf(all)), waiting);
      const keys = Array.from({ length: 1000 }, (_, nth) => key(nth * 5));
      expect(await at.store.import(replacing(2, keys), waiting)).toBe('loaded');
      expect((await at.store.describeTable(deadLetterTable, waiting))?.rows).toBe(4000);
    });
  });
}
