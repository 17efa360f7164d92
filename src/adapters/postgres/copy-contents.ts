import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ClientBase } from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { PlacedCells } from '../../core/column-change.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TableId } from '../../core/table-id.ts';
import type { CsvContent } from '../../ports/csv-content.ts';
import { openedAhead } from '../opened-ahead.ts';
import { checkedContent } from '../staged-content.ts';
import { CheckedCsv } from './checked-csv.ts';
import type { ProgressWatch } from './progress-watch.ts';
import { fromLoading } from './table-errors.ts';
import { identifier, storedColumn, tableOf } from './table-names.ts';

export interface Load {
  readonly tableId: TableId;
  /** Of each line. */
  readonly columns: readonly string[];
  /** Where the cells of a line go in the table. */
  readonly placed: PlacedCells;
  readonly contents: readonly CsvContent[];
  readonly expected: number;
}

/**
 * Loads all lines of the contents in their order, in one COPY of the transaction under way; memory stays flat. Answers how many rows the
 * server has taken.
 * `objects.corrupt` when they are not as staged, `table.invalidContent` when they are refused or not as many as expected; the transaction
 * is lost then.
 */
export async function copyContents(client: ClientBase, load: Load, watch: ProgressWatch): Promise<number> {
  const { tableId, columns, expected } = load;
  const contents = load.contents.filter(({ bytes }) => bytes > 0);
  const rows = contents.length === 0 ? 0 : await copyPlaced(client, { ...load, contents }, watch);
  if (rows === expected) return rows;
  throw new MillraceError(
    'table.invalidContent',
    `the content for the table "${tableId}" holds ${rows} rows of ${columns.length} columns, expected ${expected}`,
    { details: { tableId, rows, expected } },
  );
}

/** Lines that do not have the columns of the table go into one of their own first, and from there in their order to their places. */
async function copyPlaced(client: ClientBase, load: Load, watch: ProgressWatch): Promise<number> {
  const { tableId, columns, placed } = load;
  const listOf = (names: readonly string[]): string => names.map((name) => identifier(storedColumn(name))).join(', ');
  const direct = columnsOfCells(load);
  if (direct !== undefined) return copy(client, { ...load, target: `${tableOf(tableId)} (${listOf(direct)})` }, watch);
  const aside = 'pg_temp."millrace.aside"';
  const cell = (at: number): string => identifier(`c${at}`);
  const cells = columns.map((_, at) => cell(at));
  await client.query(
    `CREATE TEMPORARY TABLE "millrace.aside" (${cells.map((name) => `${name} text NOT NULL`).join(', ')}, line bigint GENERATED ALWAYS AS IDENTITY) ON COMMIT DROP`,
  );
  const rows = await copy(client, { ...load, target: `${aside} (${cells.join(', ')})` }, watch);
  const placedCells = placed.cells.map((at) => (at === null ? `''` : cell(at)));
  await client.query(
    `INSERT INTO ${tableOf(tableId)} (${listOf(placed.columns)}) SELECT ${placedCells.join(', ')} FROM ${aside} ORDER BY line`,
  );
  await client.query(`DROP TABLE ${aside}`);
  watch.progress();
  return rows;
}

/** The column of the table for each cell of a line; undefined unless each cell has one, and each column a cell. */
function columnsOfCells({ columns, placed }: Load): readonly string[] | undefined {
  if (placed.columns.length !== columns.length) return undefined;
  const found = columns.flatMap((_, at) => placed.columns[placed.cells.indexOf(at)] ?? []);
  return found.length === columns.length ? found : undefined;
}

interface Copy extends Pick<Load, 'tableId' | 'contents'> {
  /** Table and columns. */
  readonly target: string;
}

/** Copies all lines into the target, in the transaction under way; answers how many the server has taken. */
export async function copy(
  client: ClientBase,
  { tableId, contents, target: into }: Copy,
  watch: ProgressWatch,
): Promise<number> {
  const statement = `COPY ${into} FROM STDIN WITH (FORMAT csv, ENCODING 'UTF8')`;
  const target = client.query(copyFrom(statement));
  // The pipeline below has the error already; a connection that breaks later must not end the process.
  target.on('error', () => {});
  try {
    const source = Readable.from(checkedBytes(contents, watch), { highWaterMark: 1 });
    await pipeline(source, target, { signal: watch.signal });
  } catch (thrown) {
    watch.signal.throwIfAborted();
    throw fromLoading(thrown, tableId);
  }
  watch.progress();
  return target.rowCount;
}

async function* checkedBytes(contents: readonly CsvContent[], watch: ProgressWatch): AsyncGenerator<Uint8Array> {
  for await (const content of openedAhead(contents, watch)) {
    const csv = new CheckedCsv(content.name);
    for await (const bytes of checkedContent(content, watch)) {
      csv.chunk(bytes);
      watch.progress();
      yield bytes;
      watch.progress();
    }
    csv.end();
  }
}
