import { expect, it } from 'vitest';
import { parseIncarnation } from '../../src/core/ids.ts';
import type { LedgerContents } from '../../src/ports/ledger-transfer.ts';
import { waiting, type StoreOnTest } from './store-on-test.ts';

/** What every store of tables keeps as `LedgerTransfer`. */
export function ledgerTransferContract(at: StoreOnTest): void {
  /** Numbers that no other test has. */
  const others = (): LedgerContents => ({
    imports: [
      {
        incarnation: parseIncarnation(600_000 + 2 * at.used),
        number: 7,
        id: 'seventh',
        verdict: 'loaded',
        loaded: { rows: 70, dead: 3 },
      },
      { incarnation: parseIncarnation(600_001 + 2 * at.used), number: 2, id: 'second', verdict: 'abandoned' },
    ],
    loads: [
      { id: `transfer/${at.used}/a`, verdict: 'loaded', note: 'a "note"' },
      { id: `transfer/${at.used}/b`, verdict: 'open', note: '' },
    ],
  });

  it('M2: rows stand as they stood elsewhere, however often they are adopted, and imports go on behind them', async () => {
    const contents = others();
    const [first, second] = contents.imports;
    if (first === undefined || second === undefined) throw new Error('there are two');
    await at.made();
    await at.store.adoptLedger(contents, waiting);
    await at.store.adoptLedger(contents, waiting);
    const found = await at.store.readLedgerContents(waiting);
    for (const row of contents.imports) expect(found.imports).toContainEqual(row);
    for (const row of contents.loads) expect(found.loads).toContainEqual(row);
    expect(found.imports).toContainEqual(
      expect.objectContaining({ incarnation: at.incarnation, number: 0, loaded: { rows: 0, dead: 0 } }),
    );
    const { incarnation } = first;
    const again = at.request(7, [['1', 'x']], { incarnation, id: 'seventh' });
    expect(await at.store.import(again, waiting)).toBe('loaded');
    expect(await at.rowsOf()).toEqual([]);
    await at.store.import(at.request(8, [['2', 'y']], { incarnation }), waiting);
    expect(await at.store.readLedger(incarnation, waiting)).toMatchObject({ number: 8, loaded: { rows: 71, dead: 3 } });
    expect(await at.store.abandonLoad(`transfer/${at.used}/a`, waiting)).toMatchObject({ verdict: 'loaded' });
    expect(await at.store.abandonLoad(`transfer/${at.used}/b`, waiting)).toMatchObject({ verdict: 'abandoned' });
  });

  it('M2: a row that says something else is refused, and none is adopted', async () => {
    const contents = others();
    const [first] = contents.imports;
    if (first === undefined) throw new Error('there is one');
    await at.store.createLedger(first.incarnation, waiting);
    await expect(at.store.adoptLedger(contents, waiting)).rejects.toMatchObject({ code: 'table.ledgerMismatch' });
    expect(await at.store.readLoad(`transfer/${at.used}/a`, waiting)).toBeUndefined();
    expect(await at.store.readLedger(first.incarnation, waiting)).toMatchObject({ number: 0 });
  });
}
