import { z } from 'zod';
import { compressionTypes, type Compression } from '../../core/compression.ts';
import { choice, httpUrl, path, toggle, word } from '../primitives.ts';
import type { Secret } from '../secrets.ts';
import { field, optional, secretField, withDefault } from './fields.ts';
import { storeName } from './store-name.ts';

export interface S3Staging {
  readonly kind: 's3';
  readonly bucket: string;
  /** Of every object name; empty, or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
  /** Absent: AWS's own. */
  readonly endpoint?: string | undefined;
  /** Absent: with an endpoint of its own. */
  readonly pathStyle?: boolean | undefined;
  readonly caFile?: string | undefined;
  /** Of slices. */
  readonly compression: Compression['type'];
  /** Absent: found the way the AWS SDK does. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: Secret } | undefined;
}

export const s3Staging = z.strictObject({
  kind: z.literal('s3'),
  bucket: field(storeName),
  prefix: withDefault(field(word('empty, or a prefix with "/" at its end', /^([\w.-]+\/)*$/)), ''),
  region: withDefault(field(storeName), 'us-east-1'),
  endpoint: optional(field(httpUrl())),
  pathStyle: optional(field(toggle())),
  caFile: optional(field(path())),
  compression: withDefault(field(choice(compressionTypes)), 'gzip'),
  credentials: z
    .strictObject({ accessKeyId: field(word('an access key id', /^.{1,500}$/)), secretAccessKey: secretField('a key') })
    .optional(),
}) satisfies z.ZodType<S3Staging>;
