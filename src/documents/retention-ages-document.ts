import { z } from 'zod';
import type { AgeSample } from '../core/age-samples.ts';
import type { StoredTime } from '../core/installation-time.ts';
import { count, name, type FieldsOf } from './fields.ts';
import { DocumentKind } from './document-kind.ts';

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
const sample: z.ZodType<AgeSample> = z.looseObject({ end: count, ranMs: duration } satisfies FieldsOf<AgeSample>);
const schema: z.ZodType<RetentionAges> = z.looseObject({
  ranMs: duration,
  doubtedUntilMs: duration,
  topics: z.record(name, z.looseObject({ identity: name, partitions: z.array(z.array(sample)) })),
} satisfies FieldsOf<RetentionAges>);

/** Documents of collection `meta`. */
export const retentionAgesDocuments = new DocumentKind<RetentionAges>({ collection: 'meta', schema });
