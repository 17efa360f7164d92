import { Buffer } from 'node:buffer';
import type { DeadLetterCells } from '../core/dead-letter.ts';
import type { CompiledMapping } from './compile-mapping.ts';
import { eventOfLetter } from './letter-event.ts';
import { LineWriter } from './line-writer.ts';

/** What a mapping makes of a dead letter now; `partial`: the letter does not keep all of its event. */
export type LetterOutcome = 'row' | 'filtered' | 'refused' | 'partial';

export interface RemappedLetters {
  /** Of the first letters, in order: one at least. */
  readonly outcomes: readonly LetterOutcome[];
  /** Lines of those that are rows, in order. */
  readonly rows: Uint8Array;
}

/** Maps dead letters as their events were mapped; after each one it may stop because its time is over. */
export function remapLetters(
  letters: readonly DeadLetterCells[],
  compiled: CompiledMapping,
  isOver: () => boolean,
): RemappedLetters {
  const writer = new LineWriter();
  const outcomes: LetterOutcome[] = [];
  const lines: Buffer[] = [];
  for (const letter of letters) {
    const event = eventOfLetter(letter);
    const result = event === undefined ? undefined : compiled.mapEvent(event, writer);
    if (result?.kind === 'row') lines.push(Buffer.from(writer.line()));
    outcomes.push(result === undefined ? 'partial' : result.kind === 'dead' ? 'refused' : result.kind);
    writer.clear();
    if (isOver()) break;
  }
  return { outcomes, rows: Buffer.concat(lines) };
}
