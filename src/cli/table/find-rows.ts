import { didYouMean } from '../../config/unknown-name.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { PreviewShape } from '../api-shapes.ts';
import type { AdminClient } from '../client.ts';
import { LatestRows } from './latest-rows.ts';
import { tableRows } from './table-rows.ts';

export interface Wanted {
  readonly limit: number;
  /** Columns, separated by commas; all when absent. */
  readonly select?: string;
  /** The last rows, else the first. */
  readonly tail: boolean;
  /** Each `column=value`; all must hold. */
  readonly where: readonly string[];
}

/** Rows of a table as a preview has them, found by reading it from its beginning. */
export async function findRows(client: AdminClient, tableId: string, wanted: Wanted): Promise<PreviewShape> {
  const { limit, select, tail } = wanted;
  const known = (await client.getTable(tableId)).columns ?? [];
  const columns = select?.split(',').map((name) => columnOf(name.trim(), known)) ?? known;
  const conditions = wanted.where.map((text) => parseCondition(text, known));
  const latest = new LatestRows<PreviewShape['rows'][number]>(limit);
  for await (const row of tableRows(client, tableId)) {
    if (conditions.some(({ column, value }) => row[column] !== value)) continue;
    latest.add(columns.map((columnName) => ({ columnName, value: row[columnName] ?? '', isTruncated: false })));
    if (!tail && latest.seen === limit) break;
  }
  return { columns: [...columns], rows: [...latest.rows()] };
}

function parseCondition(text: string, known: readonly string[]): { readonly column: string; readonly value: string } {
  const at = text.indexOf('=');
  if (at < 1) throw new MillraceError('input.invalid', `--where "${text}": must be COLUMN=VALUE.`);
  return { column: columnOf(text.slice(0, at), known), value: text.slice(at + 1) };
}

function columnOf(name: string, known: readonly string[]): string {
  if (known.includes(name)) return name;
  const advice = didYouMean(name, known) ?? `there are ${known.join(', ')}.`;
  throw new MillraceError('input.invalid', `The table has no column "${name}"; ${advice}`);
}
