import { Buffer } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { crc32Checksum } from '../../core/checksum.ts';
import { letterKeyColumns, type DeadLetterCells, type LetterKey } from '../../core/dead-letter.ts';
import { objectName } from '../../core/object-name.ts';
import { packOffsets } from '../../core/progress/packed-offsets.ts';
import type { ReplayBatch } from '../../core/progress/replay.ts';
import { uploadStamp } from '../../core/progress/seal.ts';
import type { PassedLetters, ReplayedLetters, SinkProgress, StagedObject } from '../../core/progress/sink-progress.ts';
import type { RemappedLetters } from '../../mapping/remap-letters.ts';

interface Remapped {
  readonly letters: readonly DeadLetterCells[];
  readonly remapped: RemappedLetters;
  readonly id: string;
  /** On the wall, milliseconds since the epoch. */
  readonly now: number;
}

/** Letters that were mapped again: none is taken, or what is to be staged and said of those that are. */
export type LetterBatch =
  | { readonly kind: 'untaken'; readonly passed: PassedLetters }
  | {
      readonly kind: 'taken';
      readonly passed: PassedLetters;
      readonly change: Omit<ReplayBatch, 'id' | 'replayId' | 'from' | 'passed'>;
      readonly contents: readonly { readonly object: StagedObject; readonly bytes: Uint8Array }[];
    };

/** Makes a batch of the letters that have an outcome. Its objects have names that were never used. */
export function letterBatch(
  { incarnation, mappingVersion, floor }: SinkProgress,
  { letters, remapped, id, now }: Remapped,
): LetterBatch {
  const { outcomes, rows } = remapped;
  const seen = letters.slice(0, outcomes.length);
  const count = (outcome: 'refused' | 'partial'): number => outcomes.filter((one) => one === outcome).length;
  const after = keyOf(seen.at(-1));
  const passed = { seen: seen.length, refused: count('refused'), partial: count('partial'), after };
  const taken = seen.filter((_, at) => outcomes[at] === 'row' || outcomes[at] === 'filtered');
  if (taken.length === 0) return { kind: 'untaken', passed };
  const stamp = uploadStamp(now, floor);
  const { partition } = keyOf(taken[0]);
  const objectOf = (part: 'rows' | 'letters', bytes: Uint8Array): StagedObject => ({
    name: objectName({ incarnation, partition, stamp, unique: id, part }),
    bytes: bytes.length,
    checksum: crc32Checksum(crc32(bytes)),
  });
  const keys = Buffer.from(taken.map(keyLine).join(''));
  const arrivals = taken.map(({ arrived_at: at }) => Date.parse(at));
  const [rowsObject, lettersObject] = [objectOf('rows', rows), objectOf('letters', keys)];
  const hasRows = outcomes.includes('row');
  return {
    kind: 'taken',
    passed,
    change: {
      mappingVersion,
      letters: countByPartition(seen, outcomes),
      ...(hasRows ? { rowsObject } : {}),
      lettersObject,
      firstArrival: Math.min(...arrivals),
      lastArrival: Math.max(...arrivals),
      at: now,
      stamp,
    },
    contents: [...(hasRows ? [{ object: rowsObject, bytes: rows }] : []), { object: lettersObject, bytes: keys }],
  };
}

function keyOf(letter: DeadLetterCells | undefined): LetterKey {
  return {
    partition: Number(letter?.partition ?? 0),
    offset: Number(letter?.offset ?? 0),
    eventId: letter?.event_id ?? '',
  };
}

function keyLine(letter: DeadLetterCells): string {
  return `${letterKeyColumns.map((column) => `"${letter[column].replaceAll('"', '""')}"`).join(',')}\n`;
}

function countByPartition(
  letters: readonly DeadLetterCells[],
  outcomes: RemappedLetters['outcomes'],
): Readonly<Record<string, ReplayedLetters>> {
  const taken = letters.flatMap(({ partition, offset }, at) => {
    const outcome = outcomes[at];
    return outcome === 'row' || outcome === 'filtered' ? [{ partition, offset: Number(offset), outcome }] : [];
  });
  const counts: Record<string, ReplayedLetters> = {};
  for (const [partition, own] of Map.groupBy(taken, (one) => one.partition))
    counts[partition] = {
      rows: own.filter(({ outcome }) => outcome === 'row').length,
      filtered: own.filter(({ outcome }) => outcome === 'filtered').length,
      offsets: packOffsets(own.map(({ offset }) => offset)),
    };
  return counts;
}
