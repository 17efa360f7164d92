import { describe, expect, it } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { abandonImport, finishImport, startImport } from '../progress/import.ts';
import type { LedgerPosition } from '../progress/ledger.ts';
import { compareWithLedger } from './ledger-witness.ts';
import type { SinkProgress } from '../progress/sink-progress.ts';

const staged: SinkProgress = { ...progressOf(0), staged: [sliceOf({ id: 'a', from: -1, to: 4, rows: 3, dead: 2 })] };
const running = allowed(startImport(staged, { id: 'one', at: 1 }));
const finished = allowed(finishImport(running, { number: 1, id: 'one' }, 2));

function row(
  number: number,
  [rows, dead]: readonly [number, number],
  more: Partial<LedgerPosition> = {},
): LedgerPosition {
  return { number, id: number === 1 ? 'one' : '', verdict: 'loaded', loaded: { rows, dead }, ...more };
}

const same = { kind: 'compared', difference: { rows: 0, dead: 0 } };

describe('D4: the ledger as a witness', () => {
  it('D4: agrees before an import, while it runs, when it has loaded and when it was given up', () => {
    expect(compareWithLedger(staged, row(0, [0, 0]))).toEqual(same);
    expect(compareWithLedger(running, row(0, [0, 0]))).toEqual(same);
    expect(compareWithLedger(running, row(1, [3, 2]))).toEqual(same);
    expect(compareWithLedger(running, row(1, [0, 0], { verdict: 'abandoned' }))).toEqual(same);
    expect(compareWithLedger(finished, row(1, [3, 2]))).toEqual(same);
    const abandoned = allowed(abandonImport(running, { number: 1, id: 'one' }));
    expect(compareWithLedger(abandoned, row(1, [0, 0], { verdict: 'abandoned' }))).toEqual(same);
  });

  it('D4: rows that were loaded twice, or not at all, are a difference, and dead letters do not make up for rows', () => {
    expect(compareWithLedger(finished, row(1, [6, 4]))).toMatchObject({ difference: { rows: -3, dead: -2 } });
    expect(compareWithLedger(running, row(1, [0, 0]))).toMatchObject({ difference: { rows: 3, dead: 2 } });
    expect(compareWithLedger(finished, row(1, [2, 3]))).toMatchObject({ difference: { rows: 1, dead: -1 } });
  });

  it('D4: a ledger that has gone on is read again, and one that cannot be compared is no difference', () => {
    expect(compareWithLedger(staged, row(1, [3, 2]))).toEqual({ kind: 'moved' });
    expect(compareWithLedger(finished, row(2, [3, 2]))).toEqual({ kind: 'moved' });
    expect(compareWithLedger(finished, undefined)).toEqual({ kind: 'unknown' });
    expect(compareWithLedger(finished, row(0, [0, 0]))).toEqual({ kind: 'unknown' });
    expect(compareWithLedger(running, row(1, [3, 2], { id: 'other' }))).toEqual({ kind: 'unknown' });
    const { loaded: _, ...uncounted } = row(1, [3, 2]);
    expect(compareWithLedger(finished, uncounted)).toEqual({ kind: 'unknown' });
  });
});
