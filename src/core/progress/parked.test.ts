import { describe, expect, test } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { abandonImport, importable, startImport } from './import.ts';
import { giveUpLasting, park, parkDamaged, unpark, unparkDamaged } from './parked.ts';
import { totalsOf, type SinkProgress, type StagedSlice } from './sink-progress.ts';

const [a, b, c, d, e] = [0, 1, 2, 3, 4].map((at) => sliceOf({ id: 'abcde'.charAt(at), from: at - 1, to: at }));
const five = [a, b, c, d, e].filter((slice) => slice !== undefined);
const damage = { code: 'table.invalidContent', message: 'holds 0 rows, expected 1' };

function staged(...slices: readonly StagedSlice[]): SinkProgress {
  return { ...progressOf(0), staged: slices };
}

const ids = (slices: readonly StagedSlice[]): string => slices.map(({ id }) => id).join('');

/** Imports what is importable and gives it up. */
function abandoned(progress: SinkProgress): SinkProgress {
  const running = allowed(startImport(progress, { id: 'i', at: 5 }));
  return allowed(abandonImport(running, { number: running.nextImport, id: 'i' }));
}

describe('an import that was given up', () => {
  test('D6: is tried again by halves, down to single slices, in order and apart from what is staged after it', () => {
    const once = abandoned(staged(...five));
    const later = { ...once, staged: [...once.staged, sliceOf({ id: 'f', from: 4, to: 5 })] };
    expect([ids(later.staged), ids(importable(later))]).toEqual(['abcdef', 'abc']);
    const twice = abandoned(later);
    expect([ids(twice.staged), ids(importable(twice))]).toEqual(['abcdef', 'ab']);
    const thrice = abandoned(twice);
    expect([ids(thrice.staged), ids(importable(thrice))]).toEqual(['abcdef', 'a']);
    expect(ids(importable({ ...later, staged: later.staged.slice(4) }))).toBe('e');
    const running = allowed(startImport(thrice, { id: 'i', at: 5 }));
    expect([ids(running.importing?.slices ?? []), ids(running.staged)]).toEqual(['a', 'bcdef']);
  });
});

describe('a slice that failed alone', () => {
  test('D6: is parked, the others stay in order, and it comes back to be imported alone', () => {
    const parked = allowed(parkDamaged(staged(...five), { sliceId: 'c', at: 7, damage }));
    expect(ids(parked.staged)).toBe('abde');
    expect(parked.parked).toMatchObject([{ id: 'c', parkedAt: 7, damage }]);
    expect(parkDamaged(parked, { sliceId: 'c', at: 8, damage })).toHaveProperty('reason');
    const back = allowed(unparkDamaged(parked, 'c'));
    expect([ids(back.staged), ids(importable(back)), ids(back.parked)]).toEqual(['cabde', 'c', '']);
    expect(back.staged[0]).not.toHaveProperty('damage');
    expect(unparkDamaged(back, 'c')).toHaveProperty('reason');
  });

  test('D6: does not come back with those that were parked for their table, nor the other way round', () => {
    const both = allowed(park(allowed(parkDamaged(staged(...five), { sliceId: 'c', at: 7, damage })), at(1)));
    expect(ids(both.parked)).toBe('cabde');
    expect(unparkDamaged(both, 'a')).toHaveProperty('reason');
    const fitting = allowed(unpark(both, 1));
    expect([ids(fitting.staged), ids(fitting.parked)]).toEqual(['abde', 'c']);
    expect(unpark(fitting, 1)).toHaveProperty('reason');
  });

  test('D6: is never one of a running import', () => {
    const running = allowed(startImport(staged(...five), { id: 'i', at: 5 }));
    expect(parkDamaged(running, { sliceId: 'c', at: 7, damage })).toHaveProperty('reason');
  });
});

describe('what has failed for long', () => {
  const [since, week] = [1000, limits.stagedAgeMs];
  const lasting = (failing: StagedSlice['failing']): SinkProgress =>
    staged(sliceOf({ id: 'a', from: -1, to: 0, ...(failing === undefined ? {} : { failing }) }));

  test.each([
    ['no failure is written down', undefined],
    ['the clock on the wall says less', { code: 'x', since: since + 1, provenMs: week }],
    ['less is proven', { code: 'x', since: -week, provenMs: week - 1 }],
  ])('D2: is not given up when %s', (_, failing) => {
    expect(giveUpLasting(lasting(failing), { sliceId: 'a', now: since + week })).toHaveProperty('reason');
  });

  test('D4: is given up when both clocks say seven days, and counted', () => {
    const after = giveUpLasting(lasting({ code: 'x', since, provenMs: week }), { sliceId: 'a', now: since + week });
    expect(totalsOf(allowed(after), 0).givenUp).toBe(1);
  });

  test('D2: begins anew when an import begins or the table fits, but for damage, which neither heals', () => {
    const kept = { code: 'objects.notFound', since, provenMs: 5 };
    for (const code of ['sink.tokenMissing', 'table.notFound', 'table.schemaMismatch']) {
      const before = lasting({ ...kept, code });
      expect(abandoned(before).staged[0]).not.toHaveProperty('failing');
      expect(allowed(unpark(allowed(park(before, at(1))), 1)).staged[0]).not.toHaveProperty('failing');
    }
    expect(abandoned(lasting(kept)).staged[0]).toHaveProperty('failing', kept);
    const parked = allowed(parkDamaged(lasting(kept), { sliceId: 'a', at: 7, damage }));
    expect(allowed(unparkDamaged(parked, 'a')).staged[0]).toHaveProperty('failing', kept);
  });
});

function at(mappingVersion: number) {
  return { mappingVersion, at: 7 };
}
