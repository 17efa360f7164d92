import { z } from 'zod';
import type { TableDependents } from '../../control/operations/table-dependents.ts';
import { tableName } from '../../core/table-id.ts';
import type { TablePreview } from '../../ports/table-pages.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Addresses } from '../addresses.ts';

export const tableSchema = z
  .object({
    uri: z.string(),
    id: z.string(),
    name: z.string(),
    displayName: z.string(),
    primaryKey: z.array(z.string()),
    columns: z.array(z.string()),
    rowsCount: z.int(),
    dataSizeBytes: z.int().optional(),
    bucket: z.object({ id: z.string(), name: z.string(), stage: z.string() }),
  })
  .meta({ id: 'Table' });

export type TableView = z.input<typeof tableSchema>;

/** A table as the storage interface shows it. Every column is text. */
export function tableView(
  { tableId, columns, primaryKey, rows, bytes }: TableDescription,
  addresses: Addresses,
): TableView {
  const { stage, bucket, table } = tableName(tableId);
  return {
    uri: addresses.table(tableId),
    id: tableId,
    name: table,
    displayName: table,
    primaryKey: [...primaryKey],
    columns: [...columns],
    rowsCount: rows,
    ...(bytes === undefined ? {} : { dataSizeBytes: bytes }),
    bucket: { id: `${stage}.${bucket}`, name: bucket, stage },
  };
}

export const previewSchema = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.object({ columnName: z.string(), value: z.string(), isTruncated: z.boolean() }))),
    isTruncated: z
      .boolean()
      .optional()
      .meta({ description: 'True when rows within the limit are left out, because they would be too many bytes.' }),
  })
  .meta({ id: 'TablePreview' });

/** Longest cell of a JSON preview, in characters. */
const maxCell = 16_384;

/** Rows with the name of the column at every cell; long cells are cut, and say so. */
export function previewView({ columns, rows, isCut }: TablePreview): z.input<typeof previewSchema> {
  return {
    columns: [...columns],
    rows: rows.map((row) =>
      row.map((value, at) => ({
        columnName: columns[at] ?? '',
        value: value.slice(0, maxCell),
        isTruncated: value.length > maxCell,
      })),
    ),
    ...(isCut === undefined ? {} : { isTruncated: true }),
  };
}

/** The same as CSV: a header line, every cell quoted, whole. */
export function previewCsv({ columns, rows }: TablePreview): string {
  const line = (cells: readonly string[]): string =>
    `${cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')}\n`;
  return [columns, ...rows].map(line).join('');
}

const sinkOfTable = { branchId: z.int(), sourceId: z.string(), sinkId: z.string() };

export const dependentsSchema = z
  .object({
    sinks: z.array(
      z.object({
        ...sinkOfTable,
        state: z.enum(['active', 'disabled', 'deleted']).meta({
          description:
            'A deleted one makes the table again when it is undeleted, and does not keep it from being changed.',
        }),
        columns: z.array(z.string()),
      }),
    ),
    waiting: z.array(
      z.object({
        ...sinkOfTable,
        rows: z.int().meta({ description: 'In staging.' }),
        isBehind: z
          .boolean()
          .meta({ description: 'The sink has accepted events for the table that may not be staged yet.' }),
      }),
    ),
    tokens: z.array(z.object({ id: z.string(), description: z.string() })).meta({
      description: 'Of sinks that may write the bucket of the table.',
    }),
  })
  .meta({ id: 'TableDependents' });

export function dependentsView({ sinks, waiting, tokens }: TableDependents): z.input<typeof dependentsSchema> {
  return {
    sinks: sinks.map(({ key, state, columns }) => ({ ...key, state, columns: [...columns] })),
    waiting: waiting.map(({ key, rows, isBehind }) => ({ ...key, rows, isBehind })),
    tokens: tokens.map(({ id, description }) => ({ id, description })),
  };
}
