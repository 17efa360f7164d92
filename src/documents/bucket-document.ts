import { z } from 'zod';
import type { Bucket, BucketId } from '../core/bucket.ts';
import { DocumentKind } from './document-kind.ts';
import { name, stamp, text, type FieldsOf } from './fields.ts';

export const bucketId: z.ZodType<BucketId> = name as unknown as z.ZodType<BucketId>;

const schema: z.ZodType<Bucket> = z.looseObject({
  bucketId,
  displayName: text,
  description: text,
  created: stamp,
} satisfies FieldsOf<Bucket>);

/** Documents of collection `bucket`, under the id of the bucket. */
export const bucketDocuments = new DocumentKind<Bucket>({ collection: 'bucket', schema });
