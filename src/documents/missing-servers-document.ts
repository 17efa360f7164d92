import { z } from 'zod';
import type { MissingServer, MissingServers } from '../core/missing-servers.ts';
import { DocumentKind } from './document-kind.ts';
import { name, text, type FieldsOf } from './fields.ts';

const server: z.ZodType<MissingServer> = z.looseObject({
  server: name,
  roles: z.array(name).readonly(),
  message: text,
  since: name,
} satisfies FieldsOf<MissingServer>);

const schema: z.ZodType<MissingServers> = z.looseObject({
  process: name,
  servers: z.array(server).readonly(),
  at: name,
} satisfies FieldsOf<MissingServers>);

/** Prefix of their ids in the collection `meta`. */
export const missingServersPrefix = 'missing-servers/';

export const missingServersDocuments = new DocumentKind<MissingServers>({ collection: 'meta', schema });
