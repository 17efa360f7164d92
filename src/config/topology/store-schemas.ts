import { z } from 'zod';
import { kafkaLog } from './kafka-log.ts';
import { mongodbCatalog } from './mongodb-catalog.ts';
import { postgresCatalog, postgresTables } from './postgres-server.ts';
import { s3Staging } from './s3-staging.ts';

/**
 * Which kinds of store can play each part of a cluster, and what a topology file says of one. What opens a kind that stands here is in
 * `runtime/stores`, and does not compile without it.
 */
export const storeSchemas = {
  log: z.discriminatedUnion('kind', [kafkaLog]),
  staging: z.discriminatedUnion('kind', [s3Staging]),
  catalog: z.discriminatedUnion('kind', [mongodbCatalog, postgresCatalog]),
  tables: z.discriminatedUnion('kind', [postgresTables]),
};

export type StorePart = keyof typeof storeSchemas;

/** What a topology says of the store that plays a part; of one kind, where that is given. */
export type StoreConfig<Part extends StorePart, Kind extends StoreKind<Part> = StoreKind<Part>> = Extract<
  z.output<(typeof storeSchemas)[Part]>,
  { readonly kind: Kind }
>;

export type StoreKind<Part extends StorePart> = z.output<(typeof storeSchemas)[Part]>['kind'];
