import { z } from 'zod';
import { integer } from '../primitives.ts';
import type { Secret } from '../secrets.ts';
import { field, secretField, withDefault } from './fields.ts';
import { storeName } from './store-name.ts';
import { tls, type Tls } from './tls.ts';

interface PostgresServer {
  readonly kind: 'postgres';
  readonly url: Secret;
  readonly tls?: Tls | undefined;
  readonly maxConnections: number;
}

export interface PostgresCatalog extends PostgresServer {
  readonly schema: string;
}

export type PostgresTables = PostgresServer;

const server = {
  kind: z.literal('postgres'),
  url: secretField('a URL postgres://user:password@host:port/database'),
  tls: tls.optional(),
  maxConnections: withDefault(field(integer(1, 1000)), '10'),
};

export const postgresCatalog = z.strictObject({
  ...server,
  schema: withDefault(field(storeName), 'millrace_catalog'),
}) satisfies z.ZodType<PostgresCatalog>;

export const postgresTables = z.strictObject(server) satisfies z.ZodType<PostgresTables>;
