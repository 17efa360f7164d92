import { z } from 'zod';
import type { FoundBucket } from '../../control/store/buckets.ts';
import { stageOfBucket } from '../../core/bucket.ts';
import type { Addresses } from '../addresses.ts';
import { stampSchema, stampView } from './stamp-view.ts';

export const bucketSchema = z
  .object({
    uri: z.string(),
    id: z.string(),
    name: z.string(),
    displayName: z.string(),
    description: z.string(),
    stage: z.string(),
    created: stampSchema.optional().meta({
      description: 'Absent: it came with its first table, and goes with its last.',
    }),
    tablesCount: z.int(),
    rowsCount: z.int(),
    dataSizeBytes: z.int().optional().meta({ description: 'Absent where the store does not know it of each table.' }),
  })
  .meta({ id: 'Bucket' });

export type BucketView = z.input<typeof bucketSchema>;

export function bucketView({ bucketId, made, tables }: FoundBucket, addresses: Addresses): BucketView {
  const name = bucketId.slice(bucketId.indexOf('.') + 1);
  const sizes = tables.flatMap(({ bytes }) => bytes ?? []);
  return {
    uri: addresses.bucket(bucketId),
    id: bucketId,
    name,
    displayName: made?.displayName ?? name,
    description: made?.description ?? '',
    stage: stageOfBucket(bucketId),
    ...(made && { created: stampView(made.created) }),
    tablesCount: tables.length,
    rowsCount: sum(tables.map(({ rows }) => rows)),
    ...(sizes.length === tables.length ? { dataSizeBytes: sum(sizes) } : {}),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
