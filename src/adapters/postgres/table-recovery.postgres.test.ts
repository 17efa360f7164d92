import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { csvOf } from '../../../test/contract/staged-csv.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FailingPostgres, outcomeOf } from '../../../test/support/failing-postgres.ts';
import { openPostgresProxy, type PostgresProxy } from '../../../test/support/postgres-proxy.ts';
import { isPostgresMissing } from '../../../test/support/postgres.ts';
import { streamed, throughPort } from '../../../test/support/table-harness.ts';
import { deadLetterColumns } from '../../core/dead-letter.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import type { ImportRequest } from '../../ports/import-ledger.ts';
import type { PostgresTableOptions } from './table-config.ts';

const waiting = { signal: new AbortController().signal };

type Stopped = Partial<PostgresTableOptions> & Partial<Pick<ImportRequest, 'dead' | 'expected'>>;

describe.skipIf(await isPostgresMissing())('tables on a PostgreSQL that fails', () => {
  const postgres = new FailingPostgres();

  const part = (from: number): string[][] => Array.from({ length: 5000 }, (_, at) => [`${from + at}`, 'x'.repeat(40)]);
  /** 20,000 rows in four chunks; `before` is called before each. */
  const inChunks = (before: (chunk: number) => Promise<void> | void): CsvContent =>
    streamed(async function* () {
      for (let chunk = 0; chunk < 4; chunk += 1) {
        await before(chunk);
        yield csvOf(part(chunk * 5000));
      }
    });
  const all = { rows: 20_000, dead: 0 };
  const rowsOnce = async (): Promise<void> => {
    const rows = await postgres.harness.rows();
    expect(rows.map(([first]) => Number(first))).toEqual(Array.from({ length: 20_000 }, (_, at) => at));
  };

  it.each([0, 2, 3])(
    'D2, D3: kill -9 of the server before chunk %i of an import, which is then loaded once',
    async (at) => {
      const request = postgres.harness.request(1, [], {
        rows: [inChunks((chunk) => (chunk === at ? postgres.server.kill() : undefined))],
        expected: all,
      });
      await expect(postgres.harness.store.import(request, waiting)).rejects.toMatchObject({
        code: 'table.unavailable',
      });
      await postgres.server.start();
      expect(await postgres.harness.store.readLedger(postgres.harness.incarnation, waiting)).toMatchObject({
        number: 0,
      });
      expect(await postgres.harness.rows()).toEqual([]);
      const again = postgres.harness.request(1, [], { rows: [inChunks(() => {})], expected: all });
      expect(await postgres.harness.store.import(again, waiting)).toBe('loaded');
      await rowsOnce();
    },
  );

  it('D2, D3: kill -9 of the server while it commits: ledger and rows agree, and a repeat makes it one', async () => {
    await using proxy = await openPostgresProxy(postgres.server.port);
    const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port) });
    let before = 0;
    for (let number = 1; number <= 2; number += 1) {
      const rows = part(number * 5000);
      const { seen } = proxy.onCommit(number % 2 === 0 ? 'lose the request' : 'lose the answer');
      const answer = outcomeOf(store.import(postgres.harness.request(number, rows), waiting));
      await seen;
      await postgres.server.kill();
      expect(['table.unavailable', 'loaded']).toContain(await answer);
      await postgres.server.start();
      const loaded =
        (await postgres.harness.store.readLedger(postgres.harness.incarnation, waiting))?.number === number;
      expect(await postgres.harness.rows()).toHaveLength(before + (loaded ? rows.length : 0));
      expect(await postgres.harness.store.import(postgres.harness.request(number, rows), waiting)).toBe('loaded');
      before += rows.length;
      expect(await postgres.harness.rows()).toHaveLength(before);
    }
  });

  describe('behind a network that fails', () => {
    let proxy: PostgresProxy;
    beforeEach(async () => {
      proxy = await openPostgresProxy(postgres.server.port);
    });
    afterEach(() => proxy[Symbol.asyncDispose]());

    it('D3: when the answer to the commit is lost, the ledger tells that it was loaded', async () => {
      const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port) });
      proxy.onCommit('lose the answer');
      expect(await store.import(postgres.harness.request(1, [['1', 'x']]), waiting)).toBe('loaded');
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
    });

    it('D3: when the ledger cannot be asked either, it is table.unavailable, and a repeat loads nothing', async () => {
      const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port) });
      proxy.onCommit('lose the answer and the way');
      expect(await outcomeOf(store.import(postgres.harness.request(1, [['1', 'x']]), waiting))).toBe(
        'table.unavailable',
      );
      expect(await postgres.harness.store.import(postgres.harness.request(1, [['1', 'x']]), waiting)).toBe('loaded');
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
    });

    it('D2: when the commit never arrives, it is table.unavailable, and a repeat loads it', async () => {
      const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port) });
      proxy.onCommit('lose the request');
      expect(await outcomeOf(store.import(postgres.harness.request(1, [['1', 'x']]), waiting))).toBe(
        'table.unavailable',
      );
      expect(await store.import(postgres.harness.request(1, [['1', 'x']]), waiting)).toBe('loaded');
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
    });

    it('D3, D8: one that stopped just before its commit keeps the number until the server gives it up', async () => {
      const store = await postgres.harness.open({
        url: throughPort(postgres.url, proxy.port),
        // Longer than an import that goes on is idle.
        idleTransactionTimeoutMs: 3000,
      });
      const { seen } = proxy.onCommit('hold the request');
      const zombie = outcomeOf(store.import(postgres.harness.request(1, [['2', 'y']], { id: 'zombie' }), waiting));
      await seen;
      expect(
        await postgres.harness.store.import(postgres.harness.request(1, [['1', 'x']], { id: 'heir' }), waiting),
      ).toBe('loaded');
      expect(await zombie).toBe('table.unavailable');
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
    });

    it('D8: a server that takes no more bytes ends the import in table.unavailable, within its limit', async () => {
      const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port), progressTimeoutMs: 300 });
      const rows = [inChunks((chunk) => (chunk === 1 ? proxy.swallow() : undefined))];
      await expect(
        store.import(postgres.harness.request(1, [], { rows, expected: all }), waiting),
      ).rejects.toMatchObject({
        code: 'table.unavailable',
        message: expect.stringContaining('stood still for 0.3 s') as unknown,
      });
      const again = postgres.harness.request(1, [], { rows: [inChunks(() => {})], expected: all });
      expect(await postgres.harness.store.import(again, waiting)).toBe('loaded');
      await rowsOnce();
    });
  });

  describe('with an importer that has stopped', () => {
    /** An import that stands in the middle of its rows until it is let go on. */
    const stopped = async (id: string, { dead = [], expected = all, ...change }: Stopped = {}) => {
      const { promise: goOn, resolve } = Promise.withResolvers<void>();
      const { promise: standing, resolve: stands } = Promise.withResolvers<void>();
      const rows = [
        inChunks(async (chunk) => {
          if (chunk !== 2) return;
          stands();
          await goOn;
        }),
      ];
      const store = await postgres.harness.open(change);
      const ended = outcomeOf(store.import(postgres.harness.request(1, [], { id, rows, dead, expected }), waiting));
      await standing;
      return { goOn: resolve, ended };
    };

    it('D3: another one of the same number does not wait for it, and it loads nothing when it goes on', async () => {
      const zombie = await stopped('zombie');
      expect(
        await postgres.harness.store.import(postgres.harness.request(1, [['1', 'x']], { id: 'heir' }), waiting),
      ).toBe('loaded');
      zombie.goOn();
      expect(await zombie.ended).toBe('table.ledgerMismatch');
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
      expect(await postgres.harness.store.describeTable(postgres.harness.tableId, waiting)).toMatchObject({ rows: 1 });
      expect(await postgres.harness.store.readLedger(postgres.harness.incarnation, waiting)).toMatchObject({
        number: 1,
        id: 'heir',
      });
    });

    it('D3: giving it up does not wait for it, and it follows that verdict', async () => {
      const zombie = await stopped('import-1');
      const attempt = { number: 1, id: 'import-1' };
      expect(await postgres.harness.store.abandon(postgres.harness.incarnation, attempt, waiting)).toBe('abandoned');
      zombie.goOn();
      expect(await zombie.ended).toBe('abandoned');
      expect(await postgres.harness.rows()).toEqual([]);
    });

    it('D6: an import with the first dead letters of all does not wait for one that stopped with some', async () => {
      const dead = [streamed(() => [csvOf([deadLetterColumns.map(String)])])];
      const letters = { dead, expected: { rows: 20_000, dead: 1 } };
      const zombie = await stopped('zombie', letters);
      expect(await postgres.harness.store.describeTable(deadLetterTable, waiting)).toBeUndefined();
      const request = postgres.harness.request(1, [['1', 'x']], { id: 'heir', dead, expected: { rows: 1, dead: 1 } });
      expect(await postgres.harness.store.import(request, waiting)).toBe('loaded');
      zombie.goOn();
      expect(await zombie.ended).toBe('table.ledgerMismatch');
      expect(await postgres.harness.store.describeTable(deadLetterTable, waiting)).toMatchObject({ rows: 1 });
    });

    it('D6: dropping the table ends a load that is older than a load may be, and no other', async () => {
      const zombie = await stopped('zombie', { progressTimeoutMs: 60_000 });
      const patient = await postgres.harness.open({ lockTimeoutMs: 100 });
      await expect(patient.dropTable(postgres.harness.tableId, waiting)).rejects.toMatchObject({
        code: 'table.unavailable',
      });
      const strict = await postgres.harness.open({ lockTimeoutMs: 100, importTimeoutMs: 1 });
      await strict.dropTable(postgres.harness.tableId, waiting);
      zombie.goOn();
      expect(await zombie.ended).toBe('table.unavailable');
      expect(await postgres.harness.store.describeTable(postgres.harness.tableId, waiting)).toBeUndefined();
    });

    it('D8: staging that gives no more bytes ends the import in table.unavailable, within its limit', async () => {
      const zombie = await stopped('import-1', { progressTimeoutMs: 3000 });
      expect(await zombie.ended).toBe('table.unavailable');
      zombie.goOn();
      await eventually(async () => {
        expect(await postgres.harness.store.import(postgres.harness.request(1, [['1', 'x']]), waiting)).toBe('loaded');
      });
      expect(await postgres.harness.rows()).toEqual([['1', 'x']]);
    });
  });
});
