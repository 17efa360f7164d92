import { z } from 'zod';
import type { AgeSample } from '../age-samples.ts';
import type { StoredTime } from '../installation-time.ts';
import { count, name } from './fields.ts';
import { parseDocument } from './parse-document.ts';

/** Samples of one topic, by partition; those of another identity under its name prove nothing. */
export interface TopicAges {
  readonly identity: string;
  readonly partitions: readonly (readonly AgeSample[])[];
}

/** What proves the age of records in the embedded log. Collection `meta`, `retentionAgesId`. */
export interface RetentionAges extends StoredTime {
  readonly topics: Readonly<Record<string, TopicAges>>;
}

export const retentionAgesId = 'retention-ages';

const duration = z.number().min(0);
const sample: z.ZodType<AgeSample> = z.object({ end: count, ranMs: duration });
const schema: z.ZodType<RetentionAges> = z.object({
  ranMs: duration,
  doubtedUntilMs: duration,
  topics: z.record(name, z.object({ identity: name, partitions: z.array(z.array(sample)) })),
});

/** Another shape is `catalog.invalidDocument`. */
export function parseRetentionAges(value: unknown): RetentionAges {
  return parseDocument('meta', schema, value);
}
