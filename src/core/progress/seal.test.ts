import { describe, expect, test } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { conserve } from '../accounts/conservation.ts';
import { noteCut } from './cut.ts';
import { startImport } from './import.ts';
import { floorNow, namedObjects, raiseFloor, neededFrom, seal, uploadStamp, tear, type Seal } from './seal.ts';
import { entryOf, totalsOf, type SinkProgress } from './sink-progress.ts';
import { close, open } from './switch.ts';

function change(progress: SinkProgress, more: Partial<Seal>): Seal {
  const base = entryOf(progress, 0);
  return {
    partition: 0,
    base,
    sink: base.sink,
    source: base.source,
    filtered: 0,
    holes: 0,
    none: 0,
    stamp: 100,
    ...more,
  };
}

/** Seals one row an offset up to `to`. */
function sealRows(progress: SinkProgress, to: number): SinkProgress {
  const { source, sink } = entryOf(progress, 0);
  const slice = sliceOf({ id: `s${to}`, from: source, to });
  return allowed(seal(progress, change(progress, { source: to, sink: sink + 1, slice })));
}

describe('seal', () => {
  test('D4: it moves the entry, adds the slice and counts what it passes', () => {
    const before = progressOf(0);
    const slice = sliceOf({ id: 'a', from: -1, to: 9, rows: 4, dead: 1 });
    const after = allowed(seal(before, change(before, { sink: 8, source: 9, filtered: 3, holes: 1, none: 1, slice })));
    expect(entryOf(after, 0)).toMatchObject({ sink: 8, source: 9 });
    expect(after.staged).toEqual([slice]);
    expect(totalsOf(after, 0)).toEqual({ passed: 10, rows: 0, dead: 0, filtered: 3, holes: 1, none: 1, givenUp: 0 });
    expect(conserve(after, 0, { end: 12 })).toMatchObject({ accepted: 12, inFlight: 2, staged: 5, difference: 0 });
  });

  test('D4, A53: of a record that holds several events it counts each', () => {
    const before = progressOf(0);
    const slice = sliceOf({ id: 'a', from: -1, to: 1, rows: 4, dead: 1 });
    const three = change(before, { sink: 2, source: 1, filtered: 2, unpacked: 5, slice });
    const once = allowed(seal(before, three));
    expect(conserve(once, 0, { end: 4 })).toMatchObject({ passed: 7, accepted: 9, inFlight: 2, difference: 0 });
    const next = change(once, { sink: 3, source: 2, filtered: 3, unpacked: 2 });
    const twice = allowed(seal(once, next));
    expect(conserve(twice, 0, { end: 4 })).toMatchObject({ passed: 10, accepted: 11, filtered: 5, difference: 0 });
    expect(() => seal(before, { ...three, unpacked: 4 })).toThrow(
      'passes 2 source offsets with 4 more events but counts 7',
    );
  });

  test('D2: the epoch is that of the position: of one that was read in none, nothing is known', () => {
    const read = allowed(seal(progressOf(0), change(progressOf(0), { source: 0, filtered: 1, epoch: 4 })));
    expect(entryOf(read, 0)).toMatchObject({ source: 0, epoch: 4 });
    const lost = allowed(seal(read, change(read, { source: 1, holes: 1 })));
    expect(entryOf(lost, 0)).not.toHaveProperty('epoch');
  });

  test('A49: it notes by which mapping the last outcome was made; one that took none notes nothing', () => {
    const before = progressOf(0);
    const first = allowed(seal(before, change(before, { source: 0, filtered: 1, mappedWith: 3 })));
    expect(first.mappedWith).toEqual({ 0: 3 });
    expect(allowed(seal(first, change(first, { source: 1, holes: 1 }))).mappedWith).toEqual({ 0: 3 });
  });

  test('D2: it is refused when the source was found cut meanwhile, which is not forgotten', () => {
    const before = progressOf(0);
    const cut = allowed(noteCut(before, { partition: 0, cut: 0 }));
    expect(seal(cut, change(before, { source: 0, filtered: 1 }))).toMatchObject({ kind: 'refused', outdated: true });
    expect(entryOf(allowed(seal(cut, change(cut, { source: 0, filtered: 1 }))), 0).cut).toBe(0);
  });

  test('D3: it is refused when the entry is not the one that the reader started from', () => {
    const before = progressOf(0);
    const first = change(before, { sink: 1, source: 0, slice: sliceOf({ id: 'a', from: -1, to: 0 }) });
    const after = allowed(seal(before, first));
    expect(seal(after, first)).toMatchObject({ kind: 'refused', outdated: true });
    const disabled = allowed(close(before, endsAt(9), { deleted: false }));
    expect(seal(disabled, first)).toMatchObject({ kind: 'refused', outdated: true });
  });

  test('D2: a slice whose stamp lies below the floor is refused, because its objects may be gone', () => {
    const before = allowed(raiseFloor(progressOf(0), 100));
    const slice = sliceOf({ id: 'a', from: -1, to: 0 });
    const outrun = { kind: 'refused', outdated: false, code: 'stage.outrun' };
    expect(seal(before, change(before, { source: 0, slice, stamp: 99 }))).toMatchObject(outrun);
    expect(seal(before, change(before, { source: 0, slice, stamp: 100 }))).not.toHaveProperty('reason');
    expect(seal(before, change(before, { source: 0, filtered: 1, stamp: 0 }))).not.toHaveProperty('reason');
  });

  test('D2: an upload has the whole lease to become named, whichever of the two clocks is behind', () => {
    const now = 1e12;
    for (const behindMs of [0, 1000, limits.uploadLeaseMs * 10]) {
      for (const cleaningBehindMs of [0, limits.uploadLeaseMs * 10]) {
        const floor = floorNow(now - cleaningBehindMs);
        const stamp = uploadStamp(now - behindMs, floor);
        expect(stamp).toBeGreaterThanOrEqual(floorNow(now - cleaningBehindMs + limits.uploadLeaseMs));
      }
    }
  });

  test('D2: an upload that begins before the first clean-up has the whole lease, too', () => {
    const now = 1e12;
    expect(uploadStamp(now, 0)).toBe(now);
    expect(floorNow(now + limits.uploadLeaseMs)).toBe(now);
  });

  test('D4: counts that are not those of the offsets passed are a bug, not a document', () => {
    const before = progressOf(0);
    expect(() => seal(before, change(before, { source: 4, filtered: 4 }))).toThrow(
      'passes 5 source offsets but counts 4',
    );
    expect(() => seal(before, change(before, { source: -1, filtered: 1 }))).toThrow(
      'passes 0 source offsets but counts 1',
    );
    expect(() => seal(sealRows(before, 5), change(sealRows(before, 5), { source: 3 }))).toThrow(
      'from (1, 5) to (1, 3)',
    );
  });

  test('D4: a slice that is not of the partition and the offsets that its seal passes is a bug, not a document', () => {
    const before = progressOf(0, 0);
    const slice = sliceOf({ id: 'a', from: -1, to: 1 });
    for (const wrong of [{ partition: 1 }, { from: 0 }, { to: 2 }]) {
      expect(() => seal(before, change(before, { source: 1, slice: { ...slice, ...wrong } }))).toThrow('slice a');
    }
    expect(seal(before, change(before, { source: 1, slice }))).not.toHaveProperty('reason');
  });

  test('D8: past the limit of slices staging waits; positions alone still move', () => {
    const staged = Array.from({ length: limits.stagedSlices }, (_, index) =>
      sliceOf({ id: `s${index}`, from: 0, to: 1 }),
    );
    const full = { ...progressOf(0), staged };
    const slice = sliceOf({ id: 'more', from: -1, to: 0 });
    expect(seal(full, change(full, { source: 0, slice }))).toMatchObject({
      reason: 'too many slices wait',
      outdated: false,
    });
    expect(seal(full, change(full, { source: 0, none: 1 }))).not.toHaveProperty('reason');
    const importing = allowed(startImport(full, { id: 'x', at: 1 }));
    expect(importing.staged.length).toBeLessThan(limits.stagedSlices);
    expect(seal(importing, change(importing, { source: 0, slice }))).toHaveProperty('reason', 'too many slices wait');
  });

  test('intervals that are passed are forgotten, but never the last one', () => {
    let progress = sealRows(progressOf(0), 3);
    progress = allowed(open(allowed(close(progress, endsAt(5), { deleted: false })), endsAt(8)));
    expect(entryOf(progress, 0).intervals).toHaveLength(2);
    expect(entryOf(allowed(seal(progress, change(progress, {}))), 0).intervals).toHaveLength(2);
    progress = sealRows(progress, 4);
    expect(entryOf(progress, 0).intervals).toEqual([{ start: 8, end: null }]);
    progress = allowed(close(progress, endsAt(9), { deleted: false }));
    progress = allowed(seal(progress, change(progress, { source: 8, none: 1 })));
    expect(entryOf(progress, 0).intervals).toEqual([{ start: 8, end: 9 }]);
    expect(totalsOf(progress, 0).passed).toBe(6);
  });

  test('D4: a partition that was added while the sink was open counts from 0', () => {
    const before = progressOf(3);
    const base = entryOf(before, 1);
    const slice = sliceOf({ id: 'a', partition: 1, from: -1, to: 1 });
    const after = allowed(seal(before, { ...change(before, {}), partition: 1, base, source: 1, sink: 2, slice }));
    expect(totalsOf(after, 1).passed).toBe(2);
  });
});

describe('tear', () => {
  test('D2: it goes on at the offset that is given, and notes up to where outcomes went missing', () => {
    const before = sealRows(progressOf(0), 3);
    const after = allowed(
      tear(before, { partition: 0, base: entryOf(before, 0), low: 7, sourceEnd: 20, sourceFirst: 0 }),
    );
    expect(entryOf(after, 0)).toMatchObject({ sink: 7, source: 3, torn: { low: 7, end: 20 } });
  });

  test('D2: it notes what the source has lost, too, though reading goes on where it stands', () => {
    const before = sealRows(progressOf(0), 3);
    const base = entryOf(before, 0);
    const noted = { partition: 0, low: base.sink, sourceEnd: 20, sourceFirst: 9 };
    const after = allowed(tear(before, { ...noted, base }));
    expect(entryOf(after, 0).torn).toEqual({ low: base.sink, end: 20, lost: 9 });
    expect(tear(after, { ...noted, base })).toMatchObject({ outdated: true });
    expect(tear(after, { ...noted, base: entryOf(after, 0) })).toMatchObject({ outdated: false });
  });

  test('the mark never goes back', () => {
    const once = allowed(
      tear(progressOf(0), { partition: 0, base: entryOf(progressOf(0), 0), low: 1, sourceEnd: 20, sourceFirst: 4 }),
    );
    const twice = allowed(tear(once, { partition: 0, base: entryOf(once, 0), low: 2, sourceEnd: 10, sourceFirst: 3 }));
    expect(entryOf(twice, 0).torn).toEqual({ low: 2, end: 20, lost: 4 });
  });

  test('D2: what was passed over is needed until all that went missing has come back, or is not wanted', () => {
    const before = sealRows(progressOf(0), 3);
    const base = entryOf(before, 0);
    const torn = allowed(tear(before, { partition: 0, base, low: 7, sourceEnd: 20, sourceFirst: 0 }));
    expect(neededFrom(base)).toBe(base.sink);
    expect(neededFrom(entryOf(sealRows(torn, 10), 0))).toBe(6);
    expect(neededFrom(entryOf(sealRows(torn, 19), 0))).toBe(8);
    const closed = allowed(close(torn, endsAt(12), { deleted: false }));
    expect(neededFrom(entryOf(sealRows(closed, 11), 0))).toBe(8);
  });

  test('it is refused when nothing was lost, or the entry has changed', () => {
    const progress = sealRows(progressOf(0), 3);
    const base = entryOf(progress, 0);
    expect(tear(progress, { partition: 0, base, low: base.sink, sourceEnd: 9, sourceFirst: 0 })).toMatchObject({
      outdated: false,
    });
    expect(
      tear(progress, { partition: 0, base: { ...base, sink: 0 }, low: 9, sourceEnd: 9, sourceFirst: 0 }),
    ).toMatchObject({
      outdated: true,
    });
  });
});

test('the floor only rises, and the document names the objects that it needs', () => {
  const progress = sealRows(progressOf(0), 3);
  for (const floor of [5, 4]) expect(raiseFloor({ ...progress, floor: 5 }, floor)).toHaveProperty('reason');
  expect([...namedObjects(progress)]).toEqual(['s3.rows']);
  const refused = sliceOf({ id: 'r', from: 3, to: 4, rows: 0, dead: 1, deadObject: { name: 'r.dead', bytes: 9 } });
  expect([...namedObjects({ ...progress, parked: [{ ...refused, parkedAt: 1 }] })]).toEqual(['s3.rows', 'r.dead']);
});
