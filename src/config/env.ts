import { limits } from '../core/limits.ts';
import {
  choice,
  duration,
  host,
  hostRules,
  httpUrl,
  integer,
  keys,
  networks,
  origins,
  path,
  port,
  ratio,
  secret,
  size,
  toggle,
} from './primitives.ts';
import type { Primitive } from './primitives.ts';
import { roleList } from './topology/role.ts';

export interface Variable<Value> {
  readonly primitive: Primitive<Value>;
  /** As text, the way a person would set it; undefined: absent unless it is set. */
  readonly fallback: string | undefined;
  readonly meaning: string;
  /** The value never appears in a message. */
  readonly secret?: true;
}

const second = 1000;
const minute = 60 * second;

function withDefault<Value>(primitive: Primitive<Value>, fallback: string, meaning: string) {
  return { primitive, fallback, meaning } as const;
}

function optional<Value>(primitive: Primitive<Value>, meaning: string) {
  return { primitive, fallback: undefined, meaning } as const;
}

/** Every variable that the product reads. Names and meanings are API. */
export const variables = {
  MILLRACE_DATA_DIR: withDefault(
    path(),
    './data',
    'Folder of everything that is kept: log, catalog, staging, tables, the root token. One process at a time.',
  ),
  MILLRACE_TOPOLOGY: optional(
    path(),
    'File that says which roles run on which servers. Default: everything in one process, on its data folder.',
  ),
  MILLRACE_ROLES: withDefault(
    roleList(),
    '',
    'Roles of this process, separated by commas. Default: those that the topology names.',
  ),
  MILLRACE_PROJECT_ID: withDefault(
    integer(1, 999_999_999_999_999),
    '1',
    'Number of the project that this installation serves; a part of every ingest URL.',
  ),
  MILLRACE_PARTITIONS: optional(
    integer(1, limits.partitions),
    'Partitions of a source that is made without saying how many. One partition is mapped, and one of a sink staged, by one thread at a time. Default: as many as `MILLRACE_THREADS`.',
  ),
  MILLRACE_MAX_SOURCES: withDefault(
    integer(1, 100_000),
    '100',
    'Sources that a branch may have. What many of them cost while they do nothing is in `docs/benchmarks.md`.',
  ),
  MILLRACE_THREADS: optional(
    integer(1, 64),
    'Threads for each of the roles ingest, map and stage that the process has; events are taken by one where the system is not Linux. Default: half of the cores, at most 8.',
  ),
  MILLRACE_LEAST_INGEST_THREADS: withDefault(
    integer(1, 64),
    '1',
    'Threads that take events from the start; more of them, up to `MILLRACE_THREADS`, begin when these are busy, and stay.',
  ),
  MILLRACE_QUICK: withDefault(
    toggle(),
    'false',
    'Whether rows reach their tables within a second, to try things out: triggers that no source and no sink sets have an interval of 200ms. Of a process on a data folder alone; nothing of it is kept.',
  ),
  MILLRACE_LOG_LEVEL: withDefault(
    choice(['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace']),
    'info',
    'How much goes to standard error, as lines of JSON; on a terminal as text.',
  ),
  MILLRACE_DRAIN_TIMEOUT: withDefault(
    duration(second, 10 * minute),
    '30s',
    'How long a process that was asked to stop may take to finish what it accepted. Past it the process leaves; nothing is lost.',
  ),
  MILLRACE_TRACES_URL: optional(
    httpUrl(),
    'Where spans of OpenTelemetry go, by OTLP over HTTP: `http://collector:4318/v1/traces`; without a path `/v1/traces` is meant. Default: nowhere, traces are off.',
  ),
  MILLRACE_TRACES_RATIO: withDefault(
    ratio(),
    '0.01',
    'Share of the requests without a trace of their own that begin one, while traces are on. One that has a `traceparent` goes by its flag.',
  ),

  MILLRACE_ADMIN_HOST: withDefault(host(), '127.0.0.1', 'Where the admin API listens; `0.0.0.0` for every interface.'),
  MILLRACE_ADMIN_PORT: withDefault(port(), '8000', 'Port of the admin API, `/metrics` and `/health`.'),
  MILLRACE_PUBLIC_ADMIN_URL: optional(
    httpUrl(),
    'Base of the URLs in the answers of the API. Default: where it listens.',
  ),
  MILLRACE_ADMIN_ADVERTISED_URL: optional(
    httpUrl(),
    'Where the other processes with the role admin reach this one. Default: where it listens; on every interface, the first outer address of the machine.',
  ),
  MILLRACE_ROOT_TOKEN: {
    primitive: secret(),
    fallback: undefined,
    meaning: 'Token that may do everything. Default: one made at the first start, kept in the data folder.',
    secret: true,
  },
  MILLRACE_ENCRYPTION_KEYS: {
    primitive: keys(),
    fallback: undefined,
    meaning:
      'Keys for the secrets of configurations and of the vault: the first encrypts, all decrypt. The same in all processes with the roles admin and work. Default: one made at the first start, kept in the data folder; in a cluster none, and secrets are refused.',
    secret: true,
  },
  MILLRACE_CORS_ORIGINS: withDefault(
    origins(),
    '*',
    'Origins whose pages may call the admin API and ingest; `none` for no page at all.',
  ),

  MILLRACE_INGEST_HOST: withDefault(host(), '127.0.0.1', 'Where ingest listens; `0.0.0.0` for every interface.'),
  MILLRACE_INGEST_PORT: withDefault(port(), '7000', 'Port of ingest.'),
  MILLRACE_PUBLIC_INGEST_URL: optional(
    httpUrl(),
    'Base of the URLs of sources, as senders reach them. Default: where ingest listens.',
  ),
  MILLRACE_OTLP_GRPC_PORT: optional(
    port(),
    'Port of OTLP over gRPC, on the host of ingest, without TLS. Default: 4317, and where that is taken the product starts without; a port that is set must be free.',
  ),
  MILLRACE_TRUSTED_PROXIES: withDefault(
    networks(),
    '',
    'Proxies whose `Forwarded` and `X-Forwarded-For` are believed. Default: none, loopback neither.',
  ),
  MILLRACE_MAX_BODY_BYTES: withDefault(size('100B', '4MB'), '1MB', 'Largest body of a request of ingest.'),
  MILLRACE_MAX_OTLP_BODY_BYTES: withDefault(
    size('100KB', '1GB'),
    '64MB',
    'Largest body of a request of OTLP, as it comes and as it is decompressed. One that takes more than `MILLRACE_MAX_BUFFERED_BYTES` with what is made of it is refused, too.',
  ),
  MILLRACE_MAX_HEADER_BYTES: withDefault(
    size('1KB', '1MB'),
    '16KB',
    'Largest head of a request: its line and headers.',
  ),
  MILLRACE_MAX_CONNECTIONS: optional(
    integer(100, 1_000_000),
    'Connections of ingest at a time; fewer where the process may not open so many files. Default: as many as those leave, up to 200000.',
  ),
  MILLRACE_MAX_CONNECTIONS_PER_ADDRESS: optional(
    integer(1, 1_000_000),
    'Connections of ingest from one address at a time, of IPv6 from one /64; trusted proxies may have all. Default: half of all.',
  ),
  MILLRACE_MAX_BUFFERED_BYTES: withDefault(
    size('8MB', '64GB'),
    '64MB',
    'Bodies in memory at a time, over all requests of ingest; past it requests get 429 with Retry-After.',
  ),
  MILLRACE_REQUEST_TIMEOUT: withDefault(
    duration(second, minute),
    '30s',
    'How long a request of ingest may take from its first byte to its last.',
  ),
  MILLRACE_APPEND_TIMEOUT: withDefault(
    duration(second, minute),
    '10s',
    'How long a request of ingest waits for the log, from its last byte; past it the answer is 503 with Retry-After. Longer than the brokers need to replace one that died.',
  ),
  MILLRACE_IDLE_TIMEOUT: withDefault(
    duration(second, minute),
    '30s',
    'How long a connection of ingest may wait for its next request.',
  ),

  MILLRACE_OPS_HOST: withDefault(
    host(),
    '127.0.0.1',
    'Where a process without the role admin serves `/metrics` and `/health`.',
  ),
  MILLRACE_OPS_PORT: withDefault(port(), '8001', 'Port of `/metrics` and `/health` in such a process.'),

  MILLRACE_TEMPLATE_STEPS: withDefault(
    integer(1000, 20_000_000),
    '2000000',
    'Steps that a template may take for one cell, and all templates of a row together: calls, fields, turns of loops. Past it the event is a dead letter `templateLimit`, as for the next three.',
  ),
  MILLRACE_TEMPLATE_DEPTH: withDefault(
    integer(10, 500),
    '500',
    'Calls, fields and values of a template that may wait for each other.',
  ),
  MILLRACE_TEMPLATE_TEXT: withDefault(
    size('1KB', '4MB'),
    '1MB',
    'Length of the result of a template, and of every string on the way, in UTF-16 units.',
  ),
  MILLRACE_TEMPLATE_ARRAY: withDefault(
    integer(100, 1_000_000),
    '1000000',
    'Elements of every array that a template makes.',
  ),

  MILLRACE_TABLES_MEMORY: withDefault(
    size('64MB', '1TB'),
    '96MB',
    'Memory that the table store may use; for long rows up to half of the machine or container, at most 2 GiB, if that is more.',
  ),
  MILLRACE_IMPORTS: optional(
    integer(1, 256),
    'Sinks that a process with the role import imports at a time. Default: 2 on a data folder; 8 with tables on a server, or as many as `tables.maxConnections` there.',
  ),
  MILLRACE_TABLES_THREADS: withDefault(integer(1, 256), '1', 'Threads that the table store may use.'),

  MILLRACE_JOBS: withDefault(integer(1, 256), '8', 'Jobs that a process runs at a time; more wait for their turn.'),
  MILLRACE_JOB_TIMEOUT: withDefault(
    duration(second, 7 * 24 * 60 * minute),
    '1h',
    'How long one run of a job may take; past it the job ends in an error, and nothing of it is loaded.',
  ),
  MILLRACE_JOBS_DISK: withDefault(
    size('16MB', '100TB'),
    '10GB',
    'Local files that the jobs of a process may have at a time, before their tables are loaded. One that needs more ends in an error.',
  ),
  MILLRACE_EXTRACTOR_ALLOWED_HOSTS: withDefault(
    hostRules(),
    '',
    'What extractions may ask although it is no public address: names, addresses, both with a port where only that is meant, and networks. Default: nothing of loopback, of the network around, of the link.',
  ),

  MILLRACE_URL: optional(
    httpUrl(),
    'Admin API that the commands talk to. Default: that of the process that works on the data folder.',
  ),
  MILLRACE_TOKEN: {
    primitive: secret(),
    fallback: undefined,
    meaning: 'Token that the commands send. Default: `MILLRACE_ROOT_TOKEN`, else the one kept in the data folder.',
    secret: true,
  },
} as const satisfies Readonly<Record<string, Variable<unknown>>>;

export type VariableName = keyof typeof variables;

/** Variables of this prefix are the test suites' own, and ignored by the product. */
export const ignoredPrefix = 'MILLRACE_TEST_';
