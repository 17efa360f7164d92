import { z } from 'zod';
import { choice, duration, httpUrl, integer, path, size, toggle, word } from '../primitives.ts';
import { field, secretField } from './fields.ts';
import { roles } from './role.ts';
import type { Topology } from './topology.ts';

const second = 1000;
const day = 24 * 60 * 60 * second;

const name = word('a name of letters, digits, ".", "_" and "-"', /^[\w.-]{1,200}$/);
const optional = <Value>(of: z.ZodType<Value>): z.ZodType<Value | undefined> => of.optional();
/** What may be left out, with what it is then. */
const withDefault = <Value>(of: z.ZodType<Value>, value: unknown): z.ZodType<Value> =>
  z.unknown().default(value).pipe(of);

const tls = z.strictObject({
  caFile: optional(field(path())),
  certFile: optional(field(path())),
  keyFile: optional(field(path())),
});

const sasl = z.strictObject({
  mechanism: field(choice(['plain', 'scram-sha-256', 'scram-sha-512'])),
  username: field(word('a user name', /^.{1,500}$/)),
  password: secretField('a password'),
});

const topics = z.strictObject({
  replication: optional(field(integer(1, 100))),
  minInSyncReplicas: optional(field(integer(1, 100))),
  retention: withDefault(field(duration(60 * second, 10_000 * day)), '168h'),
  retentionBytes: optional(field(size('1MB', '1000TB'))),
  maxAppendBytes: withDefault(field(size('1MB', '512MB')), '8MB'),
});

const log = z
  .strictObject({
    kind: z.literal('kafka'),
    brokers: z
      .array(field(word('a broker as host:port', /^(\[[0-9a-fA-F:]+\]|[\w.-]+):\d{1,5}$/)))
      .min(1, 'needs one broker or more'),
    tls: tls.optional(),
    sasl: sasl.optional(),
    sessionTimeout: withDefault(field(duration(second, 1800 * second)), '10s'),
    topics: withDefault(topics, {}),
  })
  .transform(({ sessionTimeout: sessionTimeoutMs, topics: { retention: retentionMs, ...topicFields }, ...rest }) => ({
    ...rest,
    sessionTimeoutMs,
    topics: { ...topicFields, retentionMs },
  }));

const staging = z.strictObject({
  kind: z.literal('s3'),
  bucket: field(name),
  prefix: withDefault(field(word('empty, or a prefix with "/" at its end', /^([\w.-]+\/)*$/)), ''),
  region: withDefault(field(name), 'us-east-1'),
  endpoint: optional(field(httpUrl())),
  pathStyle: optional(field(toggle())),
  caFile: optional(field(path())),
  credentials: z
    .strictObject({ accessKeyId: field(word('an access key id', /^.{1,500}$/)), secretAccessKey: secretField('a key') })
    .optional(),
});

const postgres = {
  kind: z.literal('postgres'),
  url: secretField('a URL postgres://user:password@host:port/database'),
  tls: tls.optional(),
  maxConnections: withDefault(field(integer(1, 1000)), '10'),
};

const catalog = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('mongodb'),
    url: secretField('a URL mongodb://user:password@host:port'),
    database: withDefault(field(name), 'millrace'),
    caFile: optional(field(path())),
  }),
  z.strictObject({ ...postgres, schema: withDefault(field(name), 'millrace_catalog') }),
]);

const schemaRegistry = z
  .strictObject({
    url: field(httpUrl()),
    username: optional(field(word('a user name', /^[^:]{1,500}$/))),
    password: optional(secretField('a password')),
    caFile: optional(field(path())),
  })
  .refine(({ username, password }) => (username === undefined) === (password === undefined), {
    message: 'needs username and password, or neither',
  });

const cluster = z.strictObject({
  kind: z.literal('cluster'),
  roles: z
    .array(field(choice(roles)))
    .min(1, 'needs one role or more')
    .default([...roles]),
  log,
  staging,
  catalog,
  tables: z.strictObject(postgres),
  schemaRegistry: schemaRegistry.optional(),
});

/** What a topology file holds; see `topologies/` for examples with comments. */
export const topologySchema: z.ZodType<Topology> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('embedded') }),
  cluster,
]);
