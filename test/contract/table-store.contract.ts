import { getEventListeners } from 'node:events';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { parseIncarnation } from '../../src/core/ids.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import { claimableContract } from './claimable.contract.ts';
import { deadLettersContract } from './dead-letters.contract.ts';
import { importLedgerContract } from './import-ledger.contract.ts';
import { ledgerTransferContract } from './ledger-transfer.contract.ts';
import { StoreOnTest, waiting, type TableStoreFixture } from './store-on-test.ts';
import { tableLoadsContract } from './table-loads.contract.ts';
import { tablePagesContract } from './table-pages.contract.ts';
import { tablesContract } from './tables.contract.ts';

/** The rules that every `TableStore` keeps, part by part; the factory gives an empty one, and each test works on its own tables. */
export function tableStoreContract(name: string, factory: () => Promise<TableStoreFixture>): void {
  claimableContract(name, async () => {
    const fixture = await factory();
    const store = await fixture.open();
    return {
      // Not every store can be open twice.
      open: () => Promise.resolve({ mark: store, [Symbol.asyncDispose]: () => Promise.resolve() }),
      [Symbol.asyncDispose]: async () => {
        await store[Symbol.asyncDispose]();
        await fixture[Symbol.asyncDispose]();
      },
    };
  });

  describe(`${name}: TableStore contract`, () => {
    const at = new StoreOnTest(factory);
    describe('tables', () => {
      tablesContract(at);
    });
    describe('the ledger of imports', () => {
      importLedgerContract(at);
    });
    describe('the transfer of a ledger', () => {
      ledgerTransferContract(at);
    });
    describe('dead letters', () => {
      deadLettersContract(at);
    });
    describe('loads', () => {
      tableLoadsContract(at);
    });
    describe('pages', () => {
      tablePagesContract(at);
    });

    it('rejects every call with the reason of an aborted signal and changes nothing', async () => {
      const reason = new Error('stopped');
      const aborted = { signal: AbortSignal.abort(reason) };
      await at.made();
      await at.store.import(at.request(1, [['1', 'x']]), waiting);
      const other = parseTableId(`in.c-shop.other_${at.used}`);
      const calls: readonly (() => Promise<unknown>)[] = [
        () => at.store.createTable(other, ['a'], aborted),
        () => at.store.describeTable(at.tableId, aborted),
        () => at.store.columnsOf(at.tableId, aborted),
        () => at.store.listTables(aborted),
        () => at.store.dropTable(at.tableId, aborted),
        () => at.store.alterTable(at.tableId, { before: ['a', 'b'], dropped: ['a'], renamed: [], added: [] }, aborted),
        () => at.store.emptyTable(at.tableId, aborted),
        () => at.store.renameTable(at.tableId, other, aborted),
        () => at.store.createLedger(parseIncarnation(800_000 + at.used), aborted),
        () => at.store.readLedger(at.incarnation, aborted),
        () => at.store.readLedgers([at.incarnation], aborted),
        () => at.store.deleteLedger(at.incarnation, aborted),
        () => at.store.readLedgerContents(aborted),
        () => at.store.adoptLedger({ imports: [], loads: [] }, aborted),
        () => at.store.import(at.request(2, [['2', 'y']]), aborted),
        () => at.store.abandon(at.incarnation, { number: 2, id: 'import-2' }, aborted),
        () => at.store.nextLetters({ incarnation: at.incarnation, where: [], limit: 1, maxBytes: 1 }, aborted),
        () => at.store.openLoad(`aborted/${at.used}`, aborted),
        () => at.store.readLoad(`aborted/${at.used}`, aborted),
        () => at.store.load(`aborted/${at.used}`, { tables: [], note: '' }, aborted),
        () => at.store.abandonLoad(`aborted/${at.used}`, aborted),
        () => at.store.forgetLoad(`aborted/${at.used}`, aborted),
        () => at.store.preview(at.tableId, { limit: 1 }, aborted),
        () => at.store.countRows(at.tableId, { by: [], limit: 1 }, aborted),
        () => at.store.deleteLetters({ where: [{ column: 'sink', value: '' }], limit: 1 }, aborted),
        () => at.store.exportTable(at.tableId, 'csv', aborted),
      ];
      for (const call of calls) await expect(call()).rejects.toBe(reason);
      expect(await at.rowsOf()).toEqual([['1', 'x']]);
      expect(await at.store.describeTable(other, waiting)).toBeUndefined();
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({ number: 1 });
      expect(await at.store.readLedger(parseIncarnation(800_000 + at.used), waiting)).toBeUndefined();
      expect(await at.store.readLoad(`aborted/${at.used}`, waiting)).toBeUndefined();
    });

    it('D8: calls that have ended hold nothing of a signal that lives on', async () => {
      await at.made();
      const { signal } = new AbortController();
      for (let number = 1; number <= 10; number += 1) {
        await at.store.import(at.request(number, [[`${number}`, 'x']]), { signal });
        await at.store.preview(at.tableId, { limit: 1 }, { signal });
        await at.store.listTables({ signal });
        await at.store.readLedger(at.incarnation, { signal });
        await text(await at.store.exportTable(at.tableId, 'csv', { signal }));
      }
      await expect.poll(() => getEventListeners(signal, 'abort').length).toBeLessThan(5);
    });

    it('D2: everything is there after it was closed and opened again', async () => {
      await at.made();
      await at.store.import(at.request(1, [['1', '']]), waiting);
      await at.store.abandon(at.incarnation, { number: 2, id: 'import-2' }, waiting);
      await at.store[Symbol.asyncDispose]();
      await at.store[Symbol.asyncDispose]();
      await expect(at.store.listTables(waiting)).rejects.toMatchObject({ code: 'table.unavailable' });
      await at.openAgain();
      expect(await at.rowsOf()).toEqual([['1', '']]);
      expect((await at.store.describeTable(at.tableId, waiting))?.rows).toBe(1);
      expect(await at.store.readLedger(at.incarnation, waiting)).toMatchObject({
        number: 2,
        id: 'import-2',
        verdict: 'abandoned',
      });
      expect(await at.store.import(at.request(1, [['1', '']], { id: 'import-2', number: 2 }), waiting)).toBe(
        'abandoned',
      );
    });
  });
}
