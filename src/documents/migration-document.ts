import { z } from 'zod';
import { DocumentKind } from './document-kind.ts';
import { name, text, type FieldsOf } from './fields.ts';

/**
 * What a catalog knows of a move from one process to a cluster. Collection `meta`, `migrationId`; in both catalogs, with the same id of the
 * move. That of the process says `done` from the point of no return on, that of the cluster as soon as processes may start on it.
 */
export interface Migration {
  /** Of this move, from its beginning to its end; one that begins anew has another. */
  readonly id: string;
  readonly side: 'process' | 'cluster';
  readonly state: 'underWay' | 'done';
  /** Where everything goes, in words: the same for all who use these servers. */
  readonly to: string;
  /** When it began. */
  readonly at: string;
  /** By name the identities of the topics of the cluster that have all that they shall have. */
  readonly topics?: Readonly<Record<string, string>>;
}

const schema: z.ZodType<Migration> = z.looseObject({
  id: name,
  side: z.enum(['process', 'cluster']),
  state: z.enum(['underWay', 'done']),
  to: text,
  at: name,
  topics: z.record(name, name).exactOptional(),
} satisfies FieldsOf<Migration>);

export const migrationId = 'migration';

/** Documents of collection `meta`. */
export const migrationDocuments = new DocumentKind<Migration>({ collection: 'meta', schema });
