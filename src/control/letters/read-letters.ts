import { deadLetterColumns, type LetterQuery } from '../../core/dead-letter.ts';
import { deadLetterTable } from '../../core/table-id.ts';
import { limits } from '../../core/limits.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { letterConditions } from './letter-conditions.ts';

type ReadLettersParts = Pick<Parts, 'definitions' | 'pages'>;

/** A row of the dead letter table by its columns. */
export type Letter = Readonly<Record<(typeof deadLetterColumns)[number], string>>;

export interface FoundLetters {
  /** Those that were loaded last, the newest first. */
  readonly letters: readonly Letter[];
  /** True when there are more within the limit, which are too many bytes together: 16 MB. */
  readonly isCut: boolean;
}

/** How many dead letters have this in common. */
export interface LetterCount {
  readonly sourceId: string;
  readonly sinkId: string;
  readonly reason: string;
  readonly column: string;
  readonly letters: number;
}

const countedBy = ['source', 'sink', 'reason', 'column'] as const;

/** The last dead letters. `source.notFound`, `sink.notFound`. */
export async function readLetters(
  parts: ReadLettersParts,
  { limit, ...query }: LetterQuery & { readonly limit: number },
  options: Waiting,
): Promise<FoundLetters> {
  const where = await letterConditions(parts, query, options);
  // No letter is larger than that.
  const wanted = { columns: deadLetterColumns, where, last: true, limit, maxBytes: limits.deadLetterBytes };
  const preview = await unlessNoTable(() => parts.pages.preview(deadLetterTable, wanted, options));
  const letters = (preview?.rows ?? []).map(
    (row) => Object.fromEntries(deadLetterColumns.map((column, at) => [column, row[at] ?? ''])) as Letter,
  );
  return { letters: letters.toReversed(), isCut: preview?.isCut === true };
}

/** How many dead letters there are by sink, reason and column, most first; at most `limit` of these. */
export async function countLetters(
  parts: ReadLettersParts,
  { limit, ...query }: LetterQuery & { readonly limit: number },
  options: Waiting,
): Promise<{ readonly letters: number; readonly counts: readonly LetterCount[] }> {
  const where = await letterConditions(parts, query, options);
  const count = (by: readonly string[]) =>
    unlessNoTable(() => parts.pages.countRows(deadLetterTable, { by, where, limit }, options));
  const [all] = (await count([])) ?? [];
  const counts = (await count(countedBy)) ?? [];
  return {
    letters: all?.rows ?? 0,
    counts: counts.map(({ cells: [sourceId = '', sinkId = '', reason = '', column = ''], rows }) => ({
      sourceId,
      sinkId,
      reason,
      column,
      letters: rows,
    })),
  };
}

/** The first dead letter makes the table. */
async function unlessNoTable<Result>(read: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof MillraceError && thrown.code === 'table.notFound') return undefined;
    throw thrown;
  }
}
