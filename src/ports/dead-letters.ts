import type { DeadLetterCells, LetterKey } from '../core/dead-letter.ts';
import type { Incarnation } from '../core/ids.ts';
import type { CellCondition } from './table-pages.ts';
import type { Waiting } from './waiting.ts';

export interface NextLetters {
  readonly incarnation: Incarnation;
  /** Only letters for which each of these holds. */
  readonly where: readonly CellCondition[];
  /** Only letters behind this one; absent: from the first one on. */
  readonly after?: LetterKey;
  /** At least 1. */
  readonly limit: number;
  /** Bytes of UTF-8 of all cells together. */
  readonly maxBytes: number;
}

/** The dead letters of an incarnation, one after the other by key: partition, offset, event id. Reading holds up no import. */
export interface DeadLetters {
  /**
   * The next letters in the order of their keys, numbers as numbers, whole. At most `limit`, and at most `maxBytes` of text, but one
   * at least while there is one. Rows whose partition or offset is no number are nobody's letters. None where there is no table yet.
   */
  nextLetters(query: NextLetters, options: Waiting): Promise<readonly DeadLetterCells[]>;
}
