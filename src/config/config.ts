import { resolve } from 'node:path';
import { z } from 'zod';
import { MillraceError } from '../core/millrace-error.ts';
import { ignoredPrefix, variables, type Variable, type VariableName } from './env.ts';
import type { Primitive } from './primitives.ts';
import type { Secret } from './secrets.ts';
import { didYouMean } from './unknown-name.ts';
import { usualThreads } from './usual-threads.ts';

type ValueOf<Name extends VariableName> = (typeof variables)[Name] extends {
  readonly primitive: Primitive<infer Value>;
  readonly fallback: infer Fallback;
}
  ? Value | (Fallback extends string ? never : undefined)
  : never;
type Values = { readonly [Name in VariableName]: ValueOf<Name> };

/** The checked configuration of a process. Sizes are bytes, durations milliseconds, URLs without a slash at the end. */
export interface Config {
  /** Absolute. */
  readonly dataDir: string;
  /** Absolute; absent: everything in one process. */
  readonly topologyFile: string | undefined;
  /** Empty: those of the topology. */
  readonly roles: ValueOf<'MILLRACE_ROLES'>;
  readonly projectId: number;
  /** Of a source that is made without saying how many. */
  readonly partitions: number;
  /** Of a branch. */
  readonly maxSources: number;
  /** Of each of the roles ingest, map and stage. */
  readonly threads: number;
  /** Of the threads that take events, those that do so from the start. */
  readonly leastIngestThreads: number;
  /** Rows reach their tables at once, where no source and no sink says otherwise. */
  readonly quick: boolean;
  readonly logLevel: ValueOf<'MILLRACE_LOG_LEVEL'>;
  readonly drainTimeoutMs: number;
  /** Absent: traces are off. */
  readonly traces: TracesConfig | undefined;
  /** Absent: one is made at the first start. */
  readonly rootToken: Secret | undefined;
  /** For secrets of configurations: the first encrypts, all decrypt. Absent: one is made at the first start, in a cluster none. */
  readonly encryptionKeys: readonly Secret[] | undefined;
  /** `*` allows all; empty allows none. */
  readonly corsOrigins: readonly string[];
  readonly trustedProxies: readonly string[];
  readonly admin: AdminListenerConfig;
  readonly ingest: IngestListenerConfig;
  readonly otlpGrpc: OtlpGrpcListenerConfig;
  readonly ops: Pick<ListenerConfig, 'host' | 'port'>;
  /** Of one cell. */
  readonly templates: {
    readonly steps: number;
    readonly depth: number;
    readonly textLength: number;
    readonly arrayLength: number;
  };
  /** Sinks that import at a time; absent: what the platform says. */
  readonly imports: number | undefined;
  readonly tables: { readonly memoryBytes: number; readonly threads: number };
  /** Of the role work. */
  readonly jobs: { readonly atOnce: number; readonly timeoutMs: number; readonly diskBytes: number };
  /** What extractions may ask although it is no public address. */
  readonly extractor: { readonly allowedHosts: ValueOf<'MILLRACE_EXTRACTOR_ALLOWED_HOSTS'> };
  /** Where the commands find the process; absent values come from the data folder. */
  readonly client: { readonly url: string | undefined; readonly token: Secret | undefined };
}

export interface TracesConfig {
  readonly url: string;
  /** Share of the requests without a trace that begin one. */
  readonly ratio: number;
}

interface ListenerConfig {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Base of the addresses that others see; absent: where it listens. */
  readonly publicUrl: string | undefined;
}

interface AdminListenerConfig extends ListenerConfig {
  /** Where the other processes of the role reach this one; absent: where it listens. */
  readonly advertisedUrl: string | undefined;
}

interface IngestListenerConfig extends ListenerConfig {
  readonly maxBodyBytes: number;
  readonly maxOtlpBodyBytes: number;
  readonly maxHeaderBytes: number;
  /** Absent: as many as the open files leave. */
  readonly maxConnections: number | undefined;
  /** Absent: half of all. */
  readonly maxConnectionsPerAddress: number | undefined;
  readonly maxBufferedBytes: number;
  readonly requestTimeoutMs: number;
  readonly appendTimeoutMs: number;
  readonly idleTimeoutMs: number;
}

interface OtlpGrpcListenerConfig extends Pick<ListenerConfig, 'host' | 'port'> {
  /** Somebody set the port: a process that cannot have it must not start. */
  readonly isAsked: boolean;
}

/** What senders of OTLP over gRPC expect. */
const otlpGrpcPort = 4317;

/** The environment as the process got it. */
export type Environment = Readonly<Record<string, string | undefined>>;

const prefix = 'MILLRACE_';

/**
 * Reads the configuration out of an environment. An empty variable counts as absent. All problems are reported in one
 * `config.invalid`, a line each with the variable's name; the values of secrets are in none of them.
 */
export function parseConfig(environment: Environment, workingDir: string): Config {
  const unknown = unknownVariables(environment);
  const checked = z.object(schemas()).safeParse(textsOf(environment));
  const problems = checked.success ? [] : checked.error.issues.map((issue) => describe(issue, environment));
  if (!checked.success || unknown.length > 0) throw invalid([...unknown, ...problems]);
  return group(checked.data as Values, workingDir);
}

function schemas(): Record<string, z.ZodType> {
  const entries = Object.entries<Variable<unknown>>(variables).map(([name, { primitive, fallback }]) => [
    name,
    fallback === undefined ? primitive.schema.optional() : z.string().default(fallback).pipe(primitive.schema),
  ]);
  return Object.fromEntries(entries) as Record<string, z.ZodType>;
}

function textsOf(environment: Environment): Environment {
  return Object.fromEntries(Object.entries(environment).filter(([, text]) => text !== undefined && text.trim() !== ''));
}

function unknownVariables(environment: Environment): readonly string[] {
  const known = Object.keys(variables);
  return Object.keys(environment)
    .filter((name) => name.startsWith(prefix) && !name.startsWith(ignoredPrefix) && !known.includes(name))
    .toSorted()
    .map((name) => {
      const advice = didYouMean(name, known, { prefix });
      return `${name}: there is no such variable${advice === undefined ? '' : `; ${advice}`}`;
    });
}

function describe(issue: z.core.$ZodIssue, environment: Environment): string {
  const name = String(issue.path[0]);
  const { secret }: Variable<unknown> = variables[name as VariableName];
  const value = (environment[name] ?? '').replace(/\/\/[^/@]*@/, '//[redacted]@');
  return `${name}${secret === true ? '' : `="${value}"`}: ${issue.message}`;
}

function invalid(problems: readonly string[]): MillraceError {
  const lines = problems.map((problem) => `\n- ${problem}`).join('');
  return new MillraceError('config.invalid', `The environment holds ${counted(problems.length)}:${lines}`);
}

function counted(problems: number): string {
  return problems === 1 ? 'one problem' : `${problems} problems`;
}

function spreadOver(values: Values): Pick<Config, 'partitions' | 'threads' | 'leastIngestThreads'> {
  const threads = values.MILLRACE_THREADS ?? usualThreads();
  return {
    threads,
    leastIngestThreads: Math.min(threads, values.MILLRACE_LEAST_INGEST_THREADS),
    partitions: values.MILLRACE_PARTITIONS ?? threads,
  };
}

function group(values: Values, workingDir: string): Config {
  return {
    dataDir: resolve(workingDir, values.MILLRACE_DATA_DIR),
    topologyFile: values.MILLRACE_TOPOLOGY && resolve(workingDir, values.MILLRACE_TOPOLOGY),
    roles: values.MILLRACE_ROLES,
    projectId: values.MILLRACE_PROJECT_ID,
    ...spreadOver(values),
    maxSources: values.MILLRACE_MAX_SOURCES,
    quick: values.MILLRACE_QUICK,
    logLevel: values.MILLRACE_LOG_LEVEL,
    drainTimeoutMs: values.MILLRACE_DRAIN_TIMEOUT,
    traces: tracesOf(values),
    rootToken: values.MILLRACE_ROOT_TOKEN,
    encryptionKeys: values.MILLRACE_ENCRYPTION_KEYS,
    corsOrigins: values.MILLRACE_CORS_ORIGINS,
    trustedProxies: values.MILLRACE_TRUSTED_PROXIES,
    admin: {
      host: values.MILLRACE_ADMIN_HOST,
      port: values.MILLRACE_ADMIN_PORT,
      publicUrl: values.MILLRACE_PUBLIC_ADMIN_URL,
      advertisedUrl: values.MILLRACE_ADMIN_ADVERTISED_URL,
    },
    ingest: {
      host: values.MILLRACE_INGEST_HOST,
      port: values.MILLRACE_INGEST_PORT,
      publicUrl: values.MILLRACE_PUBLIC_INGEST_URL,
      maxBodyBytes: values.MILLRACE_MAX_BODY_BYTES,
      maxOtlpBodyBytes: values.MILLRACE_MAX_OTLP_BODY_BYTES,
      maxHeaderBytes: values.MILLRACE_MAX_HEADER_BYTES,
      maxConnections: values.MILLRACE_MAX_CONNECTIONS,
      maxConnectionsPerAddress: values.MILLRACE_MAX_CONNECTIONS_PER_ADDRESS,
      maxBufferedBytes: values.MILLRACE_MAX_BUFFERED_BYTES,
      requestTimeoutMs: values.MILLRACE_REQUEST_TIMEOUT,
      appendTimeoutMs: values.MILLRACE_APPEND_TIMEOUT,
      idleTimeoutMs: values.MILLRACE_IDLE_TIMEOUT,
    },
    otlpGrpc: {
      host: values.MILLRACE_INGEST_HOST,
      port: values.MILLRACE_OTLP_GRPC_PORT ?? otlpGrpcPort,
      isAsked: values.MILLRACE_OTLP_GRPC_PORT !== undefined,
    },
    ops: { host: values.MILLRACE_OPS_HOST, port: values.MILLRACE_OPS_PORT },
    templates: {
      steps: values.MILLRACE_TEMPLATE_STEPS,
      depth: values.MILLRACE_TEMPLATE_DEPTH,
      textLength: values.MILLRACE_TEMPLATE_TEXT,
      arrayLength: values.MILLRACE_TEMPLATE_ARRAY,
    },
    imports: values.MILLRACE_IMPORTS,
    tables: { memoryBytes: values.MILLRACE_TABLES_MEMORY, threads: values.MILLRACE_TABLES_THREADS },
    jobs: {
      atOnce: values.MILLRACE_JOBS,
      timeoutMs: values.MILLRACE_JOB_TIMEOUT,
      diskBytes: values.MILLRACE_JOBS_DISK,
    },
    extractor: { allowedHosts: values.MILLRACE_EXTRACTOR_ALLOWED_HOSTS },
    client: { url: values.MILLRACE_URL, token: values.MILLRACE_TOKEN ?? values.MILLRACE_ROOT_TOKEN },
  };
}

/** Of the protocol, where the URL has no path. */
const tracesPath = '/v1/traces';

function tracesOf({ MILLRACE_TRACES_URL: given, MILLRACE_TRACES_RATIO: ratio }: Values): TracesConfig | undefined {
  if (given === undefined) return undefined;
  const url = new URL(given);
  return { url: url.pathname === '/' ? url.origin + tracesPath : given, ratio };
}

/** The data folder of a process that is not told another one, in the folder where it works. */
export const usualDataDir = variables.MILLRACE_DATA_DIR.fallback;

/** The configuration of this process, of its environment. */
export function readConfig(overrides: Environment = {}): Config {
  return parseConfig({ ...process.env, ...overrides }, process.cwd());
}

/** A variable of the environment that a file of the user names; undefined where it is not set. */
export function namedVariable(name: string): string | undefined {
  return process.env[name];
}
