import { deadLetterColumns, type Refusal } from '../../../core/dead-letter.ts';
import type { Incarnation, SourceKey } from '../../../core/ids.ts';
import type { Mapping } from '../../../core/mapping.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import type { Offset, Partition } from '../../../core/offset.ts';
import { deadLetterTable } from '../../../core/table-id.ts';
import type { CellCondition, TablePages } from '../../../ports/table-pages.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Parts } from '../../parts.ts';
import type { TracedTable } from './sink-trace.ts';

type WitnessParts = Pick<Parts, 'pages' | 'telemetry'>;

/** A dead letter as its table has it, without what the event was. */
export interface Letter extends Refusal {
  readonly incarnation: number;
  readonly sinkId: string;
  readonly partition: Partition;
  readonly offset: Offset;
  readonly eventId: string;
  readonly arrivedAt: number;
  readonly mappingVersion: number;
}

const patienceMs = 5000;
const lettersShown = 100;
const shownColumns = deadLetterColumns.filter((column) => column !== 'headers' && column !== 'body');

/** The dead letter of an event of an incarnation; `'none'` when the table has none, undefined when nobody can tell. */
export async function findLetter(
  parts: WitnessParts,
  of: {
    readonly incarnation: Incarnation;
    readonly partition: Partition;
    readonly offset: Offset;
    readonly eventId: string;
  },
  options: Waiting,
): Promise<Letter | 'none' | undefined> {
  const { incarnation, partition, offset, eventId } = of;
  const where = Object.entries({ incarnation, partition, offset, event_id: eventId });
  const found = await letters(
    parts,
    where.map(([column, value]) => ({ column, value: String(value) })),
    options,
  );
  return found === undefined ? undefined : (found[0] ?? 'none');
}

/** All dead letters of an event of a source, whatever sink it was; of an id that many have, the last ones. */
export async function lettersOfEvent(
  parts: WitnessParts,
  { sourceId, eventId }: Pick<SourceKey, 'sourceId'> & { readonly eventId: string },
  options: Waiting,
): Promise<readonly Letter[] | undefined> {
  return letters(
    parts,
    [
      { column: 'source', value: sourceId },
      { column: 'event_id', value: eventId },
    ],
    options,
  );
}

async function letters(
  parts: WitnessParts,
  where: readonly CellCondition[],
  options: Waiting,
): Promise<readonly Letter[] | undefined> {
  const query = { columns: shownColumns, where, last: true, limit: lettersShown };
  const found = await ask(parts, (pages, waiting) => pages.preview(deadLetterTable, query, waiting), options);
  if (found === 'noTable') return [];
  return found?.rows.map((row) => {
    const cell = (name: (typeof deadLetterColumns)[number]): string => row[found.columns.indexOf(name)] ?? '';
    return {
      incarnation: Number(cell('incarnation')),
      sinkId: cell('sink'),
      partition: Number(cell('partition')),
      offset: Number(cell('offset')),
      eventId: cell('event_id'),
      arrivedAt: Date.parse(cell('arrived_at')),
      mappingVersion: Number(cell('mapping_version')),
      // The texts of a reason are those that the mapping wrote.
      reason: cell('reason') as Refusal['reason'],
      column: cell('column'),
      message: cell('message'),
      place: cell('place'),
    };
  });
}

/** Looks into the table of a mapping for a row with the id of an event; undefined when no column holds ids. */
export async function findRow(
  parts: WitnessParts,
  { mapping: { tableId, columns }, eventId }: { readonly mapping: Mapping; readonly eventId: string },
  options: Waiting,
): Promise<TracedTable | undefined> {
  const column = columns.find(({ type }) => type === 'uuid')?.name;
  if (column === undefined) return undefined;
  const query = { columns: [column], where: [{ column, value: eventId }], limit: 1 };
  const found = await ask(parts, (pages, waiting) => pages.preview(tableId, query, waiting), options);
  const hasRow = found === 'noTable' ? false : found && found.rows.length > 0;
  return { tableId, column, hasRow };
}

/** A table store that is away, or slow, makes an answer incomplete, not wrong. */
async function ask<Answer>(
  { pages, telemetry }: WitnessParts,
  question: (pages: TablePages, options: Waiting) => Promise<Answer>,
  { signal }: Waiting,
): Promise<Answer | 'noTable' | undefined> {
  try {
    return await question(pages, { signal: AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]) });
  } catch (thrown) {
    signal.throwIfAborted();
    if (thrown instanceof MillraceError && thrown.code === 'table.notFound') return 'noTable';
    telemetry.log.debug({ err: thrown }, 'a table does not tell whether it has an event');
    return undefined;
  }
}
