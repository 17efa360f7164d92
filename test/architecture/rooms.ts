/** What a folder of `src` may import besides itself. Tests may import everything. */
export interface Room {
  readonly name: string;
  /** Rooms; with `/*` those below one, too. */
  readonly may: readonly string[];
  /** Packages of npm. */
  readonly packages: readonly string[];
}

const store = 'core ports telemetry adapters';
const stage = 'core/* ports events documents telemetry stages/replica stages/status stages/shares';
const change = 'core/* ports documents mapping telemetry control/errors control/store';
const changed = `${change} secrets variables control/trials control/addresses.ts control/seat control/tasks control/audit`;
const endpoint = 'core/* ports documents mapping telemetry control/* api/errors api/addresses.ts';
const everything =
  'core/* secrets ports extractor/* events documents mapping telemetry/* config listener adapters/* stages/* control/* api';

/**
 * Room, what it may import of ours, and its packages; from the bottom to the top, so that no arrow goes back. A file is in the room with
 * the longest name that begins its path. Drivers of servers and stores are in `adapters` alone, each in one room.
 */
const table = [
  ['core', '', 'zod ipaddr.js fastest-levenshtein croner'],
  ['core/accounts', 'core'],
  ['ports', 'core'],
  ['jsonnet', 'core', 'yaml'],
  ['variables', 'core'],
  ['secrets', 'core'],
  ['client', '', 'openapi-fetch'],
  ['otlp', 'core', 'pbf'],
  ['extractor/values', ''],
  ['extractor/pagination', 'extractor/values'],
  ['extractor/children', 'extractor/values'],
  ['extractor/functions', 'extractor/values'],
  ['extractor/items', 'extractor/values'],
  ['extractor/requests', 'core ports extractor/values extractor/pagination'],
  ['extractor/tables', 'core extractor/values'],
  [
    'extractor/authentication',
    'core ports extractor/values extractor/functions extractor/pagination extractor/requests',
  ],
  [
    'extractor/configuration',
    'core ports extractor/values extractor/functions extractor/items extractor/pagination extractor/children extractor/requests extractor/tables extractor/authentication',
  ],
  [
    'extractor',
    'core ports extractor/values extractor/functions extractor/items extractor/pagination extractor/children extractor/requests extractor/tables extractor/authentication extractor/configuration',
  ],
  ['mapping', 'core jsonnet', 'uuid @remix-run/headers @remix-run/multipart-parser'],
  ['listener', 'core'],
  ['telemetry', 'core core/accounts', 'pino prom-client'],
  [
    'telemetry/export',
    'core telemetry',
    '@opentelemetry/api @opentelemetry/exporter-trace-otlp-proto @opentelemetry/otlp-exporter-base/node-http @opentelemetry/resources @opentelemetry/sdk-trace',
  ],
  ['config', 'core', 'zod yaml ipaddr.js'],
  ['events', 'core otlp mapping ports'],
  ['events/encoding', 'core ports events'],
  ['documents', 'core core/accounts ports', 'zod'],
  ['adapters', 'core ports'],
  ['adapters/duckdb-engine', 'core', '@duckdb/node-api'],
  ['adapters/duckdb', `${store} adapters/duckdb-engine`, '@duckdb/node-api'],
  ['adapters/filesystem', store],
  ['adapters/http-client', store, 'undici ipaddr.js'],
  ['adapters/kafka', store, 'kafkajs @platformatic/wasm-utils'],
  ['adapters/lmdb', store, 'lmdb'],
  ['adapters/mongodb', store, 'mongodb uuid'],
  ['adapters/postgres', `${store} adapters/duckdb-engine`, 'pg pg-copy-streams uuid'],
  ['adapters/s3', store, '@aws-sdk/client-s3 @smithy/node-http-handler'],
  ['adapters/schema-registry', store, '@kafkajs/confluent-schema-registry avsc protobufjs zod'],
  ['stages/replica', 'core ports documents'],
  ['stages/shares', 'core ports'],
  ['stages/status', 'core ports documents telemetry'],
  ['stages/claims', stage],
  ['stages/servers', stage],
  ['stages/ingest/accept', `${stage} events/encoding`],
  ['stages/ingest/exchange', 'core ports events events/encoding listener stages/ingest/accept'],
  ['stages/ingest/http', 'core events stages/ingest/accept stages/ingest/exchange'],
  ['stages/ingest/otlp', 'core events otlp'],
  ['stages/ingest/otlp-http', 'core events otlp stages/ingest/accept stages/ingest/exchange stages/ingest/otlp'],
  [
    'stages/ingest/otlp-grpc',
    'core events events/encoding otlp listener stages/ingest/accept stages/ingest/otlp',
    '@grpc/grpc-js',
  ],
  ['stages/map', `${stage} mapping`],
  ['stages/stage', stage],
  ['stages/import', `${stage} mapping`],
  ['stages/measure', stage],
  ['stages/retain', stage],
  ['stages/work', `${stage} variables secrets extractor extractor/tables extractor/values`],
  ['control/errors', 'core'],
  ['control/addresses.ts', 'core'],
  ['control/ends', 'core ports'],
  ['control/store', 'core ports documents telemetry secrets'],
  ['control/seat', change],
  ['control/tasks', `${change} control/seat`],
  ['control/audit', `${change} control/tasks`],
  ['control/trials', 'core/* ports mapping'],
  ['control/parts.ts', changed],
  ['control/operations', `${changed} control/ends control/parts.ts`],
  ['control/files', `${changed} control/parts.ts control/operations`],
  ['control/letters', `${changed} control/parts.ts control/operations`],
  ['control/imports', `${changed} control/parts.ts control/operations control/files`],
  ['control/configurations', `${changed} control/parts.ts control/operations`],
  ['control/reports', `${changed} events events/encoding control/ends control/parts.ts`, 'uuid'],
  ['control/samples', `${change} core/* control/ends control/parts.ts control/reports`],
  ['control', `${changed} control/parts.ts control/operations control/imports control/samples`],
  ['api/errors', 'core control/errors', 'zod'],
  ['api/addresses.ts', 'core control/addresses.ts'],
  ['api/dependencies.ts', endpoint],
  ['api/api-context.ts', endpoint],
  ['api/schemas', 'core mapping api/errors', 'zod'],
  ['api/views', `${endpoint} api/schemas`, 'zod'],
  ['api/route', `${endpoint} api/api-context.ts`, 'zod'],
  ['api/openapi', `${endpoint} api/api-context.ts api/route`, 'zod zod-openapi yaml'],
  ['api/http', `${endpoint} api/dependencies.ts api/api-context.ts api/route listener`, 'express'],
  ['api/routes', `${endpoint} events api/api-context.ts api/route api/schemas api/views api/openapi`, 'zod'],
  ['api', `${endpoint} events/encoding api/dependencies.ts api/http api/openapi api/routes api/views listener`],
  ['runtime/product.ts', 'core config'],
  ['runtime', `${everything} runtime/product.ts`, 'zod package.json'],
  [
    'cli',
    'core mapping jsonnet variables config client runtime/product.ts',
    'commander d3-scale d3-shape cli-table3 cli-progress string-width yocto-spinner yaml zod',
  ],
  ['main.ts', 'config cli runtime runtime/product.ts'],
] as const;

export const rooms: readonly Room[] = table.map(([name, may, packages = '']) => ({
  name,
  may: may.split(' ').filter((one) => one !== ''),
  packages: packages.split(' '),
}));

/** No clock, no randomness, no input and no output: of Node they import `node:buffer` and `node:crypto` alone. */
export const pure: ReadonlySet<string> = new Set([
  'core',
  'jsonnet',
  'variables',
  'secrets',
  'mapping',
  'events',
  'extractor/functions',
  'extractor/tables',
]);

/** It takes events whatever they come over: of Node it imports nothing that speaks a protocol. */
export const blind = 'stages/ingest/accept';

/** Its modules may import each other for their types: the values of a language hold one another. */
export const recursive = 'jsonnet';
