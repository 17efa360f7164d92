import type { LetterKey } from '../core/dead-letter.ts';

/** How a store writes the cells of the dead letter table in its SQL. */
export interface LetterCells {
  /** As text, compared byte for byte. */
  readonly text: (column: string) => string;
  /** As a whole number; NULL for a text that is none. */
  readonly number: (column: string) => string;
}

/** The order of keys. */
export function letterOrder({ text, number }: LetterCells): string {
  return `${number('partition')}, ${number('offset')}, ${text('event_id')}`;
}

/** Holds for letters that stand somewhere, behind a key if there is one, whose event id the statement names so. */
export function letterTests(
  after: Pick<LetterKey, 'partition' | 'offset'> | undefined,
  eventId: string,
  { text, number }: LetterCells,
): readonly string[] {
  const [partition, offset] = [number('partition'), number('offset')];
  const stands = `${partition} IS NOT NULL AND ${offset} IS NOT NULL`;
  if (after === undefined) return [stands];
  // As one comparison an index can begin there.
  return [stands, `(${partition}, ${offset}, ${text('event_id')}) > (${after.partition}, ${after.offset}, ${eventId})`];
}
