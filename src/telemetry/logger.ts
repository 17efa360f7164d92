import { isatty } from 'node:tty';
import { destination, pino, type DestinationStream } from 'pino';
import { MillraceError } from '../core/millrace-error.ts';
import type { LogLevel } from './log-level.ts';
import { terminalLine } from './terminal-line.ts';

/** What stands beside a message: never a body, never a secret. `err` takes whatever was thrown. */
type LogFields = Readonly<Record<string, unknown>>;

/** Writes lines of JSON. The message names the event and holds no value; values are fields. */
export interface Logger {
  debug(fields: LogFields, message: string): void;
  info(fields: LogFields, message: string): void;
  warn(fields: LogFields, message: string): void;
  error(fields: LogFields, message: string): void;
  /** A logger whose lines all carry these fields. */
  child(fields: LogFields): Logger;
}

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Names the thread or role in every line. */
  readonly role: string;
  /** Default: standard error, written before the call returns, so that the last line of a crash is not lost; text on a terminal. */
  readonly stream?: DestinationStream;
}

/** Field names that hold secrets, at the first three depths; their values are replaced. */
const secretFields = ['token', 'rootToken', 'secret', 'secrets', 'password', 'authorization', 'x-storageapi-token'];

function redactedPaths(): string[] {
  return secretFields.flatMap((field) => ['', '*.', '*.*.'].map((depth) => pathTo(depth, field)));
}

function pathTo(depth: string, field: string): string {
  if (/^\w+$/.test(field)) return `${depth}${field}`;
  return `${depth.replace(/\.$/, '')}["${field}"]`;
}

/**
 * Keeps no more than this of what drivers throw: their errors carry requests, and lines of the rows that they refuse.
 */
function serializeError(thrown: unknown): unknown {
  if (thrown instanceof MillraceError) {
    const { code, message, retryable, details, stack, cause } = thrown;
    return { code, message, retryable, details, stack, cause: cause === undefined ? undefined : serializeError(cause) };
  }
  if (!(thrown instanceof Error)) return thrown;
  const { name, message, stack, cause } = thrown;
  const code = 'code' in thrown && typeof thrown.code !== 'object' ? thrown.code : undefined;
  return { type: name, message, code, stack, cause: cause === undefined ? undefined : serializeError(cause) };
}

function standardError(): DestinationStream {
  const output = destination({ fd: 2, sync: true });
  return isatty(2) ? { write: (line) => void output.write(terminalLine(line)) } : output;
}

/** Makes the logger of a thread. Times are ISO 8601 in UTC, levels are words. */
export function createLogger({ level, role, stream }: LoggerOptions): Logger {
  return pino(
    {
      level,
      base: { role },
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths(), censor: '[redacted]' },
      serializers: { err: serializeError },
    },
    stream ?? standardError(),
  );
}
