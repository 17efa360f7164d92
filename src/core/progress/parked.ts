import { hasLasted } from './lasting-failure.ts';
import { openingOf, withOpening } from './openings.ts';
import {
  refused,
  totalsOf,
  type LastingFailure,
  type ParkedSlice,
  type Refused,
  type SinkProgress,
  type StagedSlice,
} from './sink-progress.ts';

/** Sets all staged slices of a mapping version aside, because it does not fit the table; later versions go on. */
export function park(
  progress: SinkProgress,
  { mappingVersion, at }: { readonly mappingVersion: number; readonly at: number },
): SinkProgress | Refused {
  const moved = progress.staged.filter((slice) => slice.mappingVersion === mappingVersion);
  if (moved.length === 0) return refused('no staged slice has this mapping version');
  const openedAt = openingOf(progress, mappingVersion);
  const opened = openedAt === undefined ? {} : { openedAt };
  return {
    ...progress,
    parked: [...progress.parked, ...moved.map((slice) => ({ ...slice, parkedAt: at, ...opened }))],
    staged: progress.staged.filter((slice) => slice.mappingVersion !== mappingVersion),
    ...withOpening(progress, { mappingVersion, at }),
  };
}

/**
 * Brings the slices of a mapping version that fits its table again back to the front of `staged`, in their order. Those
 * that were parked for their own content stay.
 */
export function unpark(progress: SinkProgress, mappingVersion: number): SinkProgress | Refused {
  const isBack = (slice: ParkedSlice): boolean => slice.mappingVersion === mappingVersion && slice.damage === undefined;
  const back = progress.parked.filter(isBack);
  if (back.length === 0) return refused('no parked slice has this mapping version');
  return {
    ...progress,
    staged: [...back.map(({ parkedAt: _, openedAt: __, failing: ___, ...slice }) => slice), ...progress.staged],
    parked: progress.parked.filter((slice) => !isBack(slice)),
    ...withOpening(progress, { mappingVersion, at: openingOfParked(back) }),
  };
}

/** Of the file that they are parts of. */
function openingOfParked(slices: readonly ParkedSlice[]): number | undefined {
  const known = slices.map(({ openedAt }) => openedAt).filter((at) => at !== undefined);
  return known.length === 0 ? undefined : Math.min(...known);
}

export interface Damaged {
  readonly sliceId: string;
  readonly at: number;
  readonly damage: NonNullable<ParkedSlice['damage']>;
}

/** Sets one staged slice aside that failed when it was imported alone; all others go on. */
export function parkDamaged(progress: SinkProgress, { sliceId, at, damage }: Damaged): SinkProgress | Refused {
  const slice = progress.staged.find(({ id }) => id === sliceId);
  if (slice === undefined) return refused('the slice is not staged');
  const openedAt = openingOf(progress, slice.mappingVersion);
  const opened = openedAt === undefined ? {} : { openedAt };
  return {
    ...progress,
    staged: progress.staged.filter(({ id }) => id !== sliceId),
    parked: [...progress.parked, { ...slice, parkedAt: at, damage, ...opened }],
  };
}

/** Brings a slice that was parked for its content back to the front of `staged`, to be imported alone. */
export function unparkDamaged(progress: SinkProgress, sliceId: string): SinkProgress | Refused {
  const slice = progress.parked.find(({ id, damage }) => id === sliceId && damage !== undefined);
  if (slice === undefined) return refused('the slice is not parked for its content');
  const { parkedAt: _, damage: __, openedAt: ___, ...back } = slice;
  return {
    ...progress,
    staged: [{ ...back, together: 1 }, ...progress.staged],
    parked: progress.parked.filter(({ id }) => id !== sliceId),
  };
}

/** Drops a staged or parked slice for good and counts its events as given up. Never one of a running import. */
export function giveUp(progress: SinkProgress, sliceId: string): SinkProgress | Refused {
  const slice = [...progress.staged, ...progress.parked].find((one) => one.id === sliceId);
  if (slice === undefined) return refused('the slice is not staged');
  const totals = totalsOf(progress, slice.partition);
  return {
    ...progress,
    staged: progress.staged.filter((one) => one.id !== sliceId),
    parked: progress.parked.filter((one) => one.id !== sliceId),
    totals: { ...progress.totals, [slice.partition]: { ...totals, givenUp: totals.givenUp + slice.rows + slice.dead } },
  };
}

/** Gives up a slice that has failed for so long that nothing else is left to hope for; refused before that. */
export function giveUpLasting(
  progress: SinkProgress,
  { sliceId, now }: { readonly sliceId: string; readonly now: number },
): SinkProgress | Refused {
  const slice = [...progress.staged, ...progress.parked].find(({ id }) => id === sliceId);
  return hasLasted(slice?.failing, now)
    ? giveUp(progress, sliceId)
    : refused('the slice has not failed for long enough');
}

/** How much more must be proven before it is written down again: the document does not change at each try. */
const writtenEveryMs = 60_000;

/**
 * Writes beside staged and parked slices how long they have failed; `observe` answers undefined for those that have not. Refused when
 * there is little to write. Nothing of a running import changes.
 */
export function noteFailing(
  progress: SinkProgress,
  observe: (slice: StagedSlice) => LastingFailure | undefined,
): SinkProgress | Refused {
  let changes = false;
  const noted = <Slice extends StagedSlice>(slice: Slice): Slice => {
    const failing = observe(slice);
    if (failing === undefined || !isWorthWriting(slice.failing, failing)) return slice;
    changes = true;
    const isSame = slice.failing?.code === failing.code && slice.failing.since === failing.since;
    return { ...slice, failing: isSame ? { ...slice.failing, ...failing } : failing };
  };
  const after = { ...progress, staged: progress.staged.map(noted), parked: progress.parked.map(noted) };
  return changes ? after : refused('it is written down already');
}

function isWorthWriting(written: LastingFailure | undefined, { code, since, provenMs }: LastingFailure): boolean {
  return written?.code !== code || written.since !== since || provenMs >= written.provenMs + writtenEveryMs;
}
