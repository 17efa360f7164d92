import type { LetterQuery } from '../../core/dead-letter.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Change } from '../audit/change.ts';
import { aloneOnTable, begin } from '../operations/change-table.ts';
import type { Parts } from '../parts.ts';
import { letterConditions } from './letter-conditions.ts';

type PurgeLettersParts = Pick<Parts, 'definitions' | 'ownership' | 'seat' | 'tables' | 'tasks'>;

export interface LetterPurge extends LetterQuery {
  readonly change: Change;
}

export interface PurgedLetters {
  readonly deleted: number;
  /** False when there may be more of them: not all are deleted at once. */
  readonly isComplete: boolean;
}

/** So that a call ends in time, and nobody waits for long. */
const lettersAtOnce = 100_000;

/**
 * Deletes dead letters for good. In the accounts their events stay what they are: dead. `source.notFound`, `sink.notFound`. After an
 * unclear answer some may be gone; the same call goes on.
 */
export async function purgeLetters(
  parts: PurgeLettersParts,
  { change, ...query }: LetterPurge,
  options: Waiting,
): Promise<PurgedLetters> {
  const where = await letterConditions(parts, query, options);
  return aloneOnTable(parts, { tableId: deadLetterTable, change }, async () => {
    await begin(parts, { tableId: deadLetterTable, change }, options);
    const deleted = await parts.tables.deleteLetters({ where, limit: lettersAtOnce }, options);
    return { deleted, isComplete: deleted < lettersAtOnce };
  });
}
