import {
  outdated,
  refused,
  type PassedLetters,
  type Refused,
  type Replay,
  type SinkProgress,
} from './sink-progress.ts';

/** What is asked for: which letters, and how many there were. */
export type ReplayOrder = Pick<Replay, 'id' | 'filter' | 'limit' | 'matching' | 'earlier'> & { readonly at: number };

/** Batches that are given up one after the other before a replay fails: somebody else deletes letters as fast as they are read. */
export const mostAbandoned = 20;

/** Asks for a replay of dead letters. Refused while one runs, and for a deleted incarnation, whose accounts are closed. */
export function askReplay(progress: SinkProgress, { at, ...order }: ReplayOrder): SinkProgress | Refused {
  if (progress.deleted) return refused('a deleted incarnation replays nothing');
  if (progress.replay?.state === 'running') return refused('a replay runs');
  const counts = { seen: 0, rows: 0, filtered: 0, refused: 0, partial: 0 };
  const { nextImport } = progress;
  const begun = { state: 'running', askedAt: at, nextImport, counts, batches: 0, abandoned: 0 } as const;
  return { ...progress, replay: { ...order, ...begun } };
}

/** No batch is begun any more; one that runs is finished, and counted. Refused when no replay runs. */
export function stopReplay(progress: SinkProgress, { at }: { readonly at: number }): SinkProgress | Refused {
  const { replay } = progress;
  if (replay?.state !== 'running') return refused('no replay runs');
  return { ...progress, replay: { ...replay, state: 'stopped', endedAt: at } };
}

export interface ReplayEnd {
  readonly id: string;
  readonly at: number;
  /** Absent: all letters have been looked at. */
  readonly failure?: { readonly code: string; readonly message: string };
}

/** A replay that runs has come to its end. Outdated for another one. */
export function endReplay(progress: SinkProgress, { id, at, failure }: ReplayEnd): SinkProgress | Refused {
  const { replay } = progress;
  if (!runs(replay, id)) return outdated('another replay, or none, runs');
  const ended =
    failure === undefined
      ? { state: 'done' as const, endedAt: at }
      : { state: 'failed' as const, endedAt: at, failure };
  return { ...progress, replay: { ...replay, ...ended } };
}

/** A batch of letters stays as it is: the replay goes on behind it. Outdated for a replay that does not run, or has gone on. */
export function passLetters(
  progress: SinkProgress,
  { id, from, passed }: { readonly id: string; readonly from: Replay['after']; readonly passed: PassedLetters },
): SinkProgress | Refused {
  const { replay } = progress;
  if (!runs(replay, id)) return outdated('another replay, or none, runs');
  if (!isSamePlace(replay.after, from)) return outdated('the replay has gone on');
  return { ...progress, replay: withPassed(replay, passed) };
}

/** Whether this replay runs. */
export function runs(replay: Replay | undefined, id: string): replay is Replay {
  return replay?.id === id && replay.state === 'running';
}

/** The replay behind these letters. */
export function withPassed(replay: Replay, { after, seen, refused: still, partial }: PassedLetters): Replay {
  const { counts } = replay;
  return {
    ...replay,
    after,
    counts: {
      ...counts,
      seen: counts.seen + seen,
      refused: counts.refused + still,
      partial: counts.partial + partial,
    },
  };
}

/** Whether a replay that stood at the one place still stands there. */
export function isSamePlace(a: Replay['after'], b: Replay['after']): boolean {
  return a?.partition === b?.partition && a?.offset === b?.offset && a?.eventId === b?.eventId;
}
