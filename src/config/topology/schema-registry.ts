import { z } from 'zod';
import { httpUrl, path, word } from '../primitives.ts';
import type { Secret } from '../secrets.ts';
import { field, optional, secretField } from './fields.ts';

/** A registry with the API of Confluent's. */
export interface SchemaRegistryServer {
  /** Base of the API, for example `https://registry:8081`; user and password in it are not allowed. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  /** Absent: the system's authorities. */
  readonly caFile?: string | undefined;
}

export const schemaRegistry = z
  .strictObject({
    url: field(httpUrl()),
    username: optional(field(word('a user name', /^[^:]{1,500}$/))),
    password: optional(secretField('a password')),
    caFile: optional(field(path())),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    message: 'needs username and password, or neither',
  }) satisfies z.ZodType<SchemaRegistryServer>;
