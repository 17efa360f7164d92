import { z } from 'zod';
import { path } from '../primitives.ts';
import type { Secret } from '../secrets.ts';
import { field, optional, secretField, withDefault } from './fields.ts';
import { storeName } from './store-name.ts';

export interface MongodbCatalog {
  readonly kind: 'mongodb';
  readonly url: Secret;
  readonly database: string;
  readonly caFile?: string | undefined;
}

export const mongodbCatalog = z.strictObject({
  kind: z.literal('mongodb'),
  url: secretField('a URL mongodb://user:password@host:port'),
  database: withDefault(field(storeName), 'millrace'),
  caFile: optional(field(path())),
}) satisfies z.ZodType<MongodbCatalog>;
