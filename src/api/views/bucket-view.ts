import { z } from 'zod';
import { tableName } from '../../core/table-id.ts';
import type { TableDescription } from '../../ports/tables.ts';
import type { Addresses } from '../addresses.ts';

export const bucketSchema = z
  .object({
    uri: z.string(),
    id: z.string(),
    name: z.string(),
    displayName: z.string(),
    stage: z.string(),
    tablesCount: z.int(),
    rowsCount: z.int(),
    dataSizeBytes: z.int().optional().meta({ description: 'Absent where the store does not know it of each table.' }),
  })
  .meta({ id: 'Bucket' });

export type BucketView = z.input<typeof bucketSchema>;

/** The buckets in which these tables are, sorted by id. A bucket is there as long as it has a table. */
export function bucketViews(tables: readonly TableDescription[], addresses: Addresses): readonly BucketView[] {
  const groups = Map.groupBy(tables, bucketIdOf);
  const views = Array.from(groups, ([id, inside]) => bucketView(id, inside, addresses));
  return views.toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

export function bucketIdOf({ tableId }: Pick<TableDescription, 'tableId'>): string {
  const { stage, bucket } = tableName(tableId);
  return `${stage}.${bucket}`;
}

function bucketView(id: string, tables: readonly TableDescription[], addresses: Addresses): BucketView {
  const dot = id.indexOf('.');
  const name = id.slice(dot + 1);
  const sizes = tables.flatMap(({ bytes }) => bytes ?? []);
  return {
    uri: addresses.bucket(id),
    id,
    name,
    displayName: name,
    stage: id.slice(0, dot),
    tablesCount: tables.length,
    rowsCount: sum(tables.map(({ rows }) => rows)),
    ...(sizes.length === tables.length ? { dataSizeBytes: sum(sizes) } : {}),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
