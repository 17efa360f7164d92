import { readFile } from 'node:fs/promises';
import type { ConnectionOptions } from 'node:tls';
import { Pool, type ClientBase, type PoolClient, type PoolConfig, type QueryResult, type QueryResultRow } from 'pg';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { answerGraceMs, oldestServerVersion, type PostgresServerOptions, type PostgresTls } from './config.ts';
import { fromPostgres, type UnavailableCode } from './errors.ts';
import { Closing } from '../closing.ts';
import { parsePostgresUrl } from './url.ts';

/** One connection, lent for as long as `withConnection` runs. `query` is the driver's own: COPY streams go through it, too. */
export type PostgresConnection = PoolClient;

/** A statement; with a `name` it is prepared once a connection. */
export interface Statement {
  readonly text: string;
  readonly values?: readonly unknown[];
  readonly name?: string;
}

/**
 * Connections to one PostgreSQL server that is not a replica. What fails comes back as a `MillraceError` of the given
 * code; after a statement that writes it means: it may have happened. A connection on which anything but an error of
 * the server happened is never used again.
 */
export class PostgresClient implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #code: UnavailableCode;
  readonly #answerMs: number;
  readonly #closing = new Closing('PostgreSQL');

  private constructor(pool: Pool, code: UnavailableCode, answerMs: number) {
    this.#pool = pool;
    this.#code = code;
    this.#answerMs = answerMs;
  }

  /** Connects to nothing yet. `config.invalid` for a URL or a certificate file that cannot be used. */
  static async create(options: PostgresServerOptions, code: UnavailableCode): Promise<PostgresClient> {
    const { statementTimeoutMs = 30_000 } = options;
    const pool = new Pool(await poolConfig(options));
    // A connection that breaks while nobody uses it leaves the pool by itself; the next statement opens another.
    pool.on('error', () => {});
    return new PostgresClient(pool, code, statementTimeoutMs === 0 ? Infinity : statementTimeoutMs + answerGraceMs);
  }

  /**
   * Runs one statement, a transaction of its own. An aborted signal rejects at once with its reason and discards the
   * connection, at which the server gives the statement up within a second.
   */
  async query<Row extends QueryResultRow>(
    { text, values = [], name }: Statement,
    options: Waiting,
  ): Promise<QueryResult<Row>> {
    const statement = { text, values: [...values], ...(name === undefined ? {} : { name }) };
    return this.withConnection((connection) => connection.query<Row>(statement), {
      ...options,
      answerMs: this.#answerMs,
    });
  }

  /**
   * Lends a connection. It is discarded when the signal is aborted (the call then rejects with its reason at once,
   * whatever `work` does), when it broke, and when `work` rejects or leaves a transaction open: the server rolls that
   * back. `answerMs`: it is discarded after so long, too.
   */
  async withConnection<T>(
    work: (connection: PostgresConnection) => Promise<T>,
    { signal, answerMs = Infinity }: Waiting & { readonly answerMs?: number },
  ): Promise<T> {
    this.#closing.check(signal);
    const connection = await this.#lend(signal);
    const { promise: stopped, reject } = Promise.withResolvers<never>();
    let isSpoiled = false;
    const discard = (reason: unknown): void => {
      isSpoiled = true;
      reject(reason);
      streamOf(connection).destroy();
    };
    const onAbort = (): void => discard(signal.reason);
    const onError = (error: Error): void => discard(fromPostgres(error, this.#code));
    const timer = Number.isFinite(answerMs)
      ? setTimeout(() => discard(new MillraceError(this.#code, noAnswer(answerMs))), answerMs)
      : undefined;
    signal.addEventListener('abort', onAbort, { once: true });
    connection.on('error', onError);
    try {
      if (signal.aborted) onAbort();
      const result = await Promise.race([stopped, work(connection)]);
      isSpoiled ||= connection.getTransactionStatus() !== 'I';
      return result;
    } catch (thrown) {
      isSpoiled ||= connection.getTransactionStatus() !== 'I';
      throw thrown === signal.reason ? thrown : fromPostgres(thrown, this.#code);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      connection.release(isSpoiled);
      connection.off('error', onError);
    }
  }

  /** Runs `work` in one transaction (read committed) and commits; rolled back when it rejects. Everything as `withConnection`. */
  async transaction<T>(work: (connection: PostgresConnection) => Promise<T>, options: Waiting): Promise<T> {
    return this.withConnection(async (connection) => {
      await connection.query('BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE');
      const result = await work(connection);
      // A commit of a transaction that failed before answers ROLLBACK and no error.
      const { command } = await connection.query('COMMIT');
      if (command !== 'COMMIT') throw new MillraceError(this.#code, 'PostgreSQL rolled the transaction back');
      return result;
    }, options);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#pool.end());
  }

  async #lend(signal: AbortSignal): Promise<PostgresConnection> {
    const connecting = this.#pool.connect();
    const { promise: aborted, reject } = Promise.withResolvers<never>();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([aborted, connecting]);
    } catch (thrown) {
      if (!signal.aborted) throw fromPostgres(thrown, this.#code);
      connecting.then(
        (connection) => connection.release(),
        () => {},
      );
      throw thrown;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }
}

async function poolConfig(options: PostgresServerOptions): Promise<PoolConfig> {
  const { host, port, user, password, database } = parsePostgresUrl(options.url);
  const { connectTimeoutMs = 5000, maxConnections = 10, applicationName = 'millrace' } = options;
  return {
    host,
    port,
    user,
    database,
    password: () => password.reveal(),
    ssl: options.tls === undefined ? false : await tlsOptions(options.tls),
    application_name: applicationName,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    allowExitOnIdle: true,
    keepAlive: true,
    // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise; its types leave that out
    onConnect: async (connection) => {
      const timer = setTimeout(() => streamOf(connection).destroy(), connectTimeoutMs);
      await prepareSession(connection, options).finally(() => clearTimeout(timer));
    },
  };
}

/**
 * Settings of each session. The server may be configured for less than the product promises (`synchronous_commit = off`),
 * for another isolation level, or for limits of its own; a standby would read old data. Dead clients are noticed by the server itself.
 * Nothing is compiled (`jit`): the tables of a load are new, so that the server takes them for large, and the compiler costs more than all
 * the rest of a statement.
 */
async function prepareSession(connection: ClientBase, options: PostgresServerOptions): Promise<void> {
  const { statementTimeoutMs = 30_000, idleTransactionTimeoutMs = 60_000 } = options;
  const { rows } = await connection.query<{ version: string; standby: boolean }>(
    `SELECT current_setting('server_version_num') AS version, pg_is_in_recovery() AS standby,
       CASE WHEN current_setting('synchronous_commit') IN ('off', 'local', 'remote_write')
         THEN set_config('synchronous_commit', 'on', false) END,
       set_config('default_transaction_isolation', 'read committed', false),
       set_config('default_transaction_read_only', 'off', false),
       set_config('timezone', 'UTC', false),
       set_config('search_path', 'pg_catalog', false),
       set_config('statement_timeout', $1, false),
       set_config('idle_in_transaction_session_timeout', $2, false),
       set_config('tcp_keepalives_idle', '10', false),
       set_config('tcp_keepalives_interval', '5', false),
       set_config('tcp_keepalives_count', '3', false),
       CASE WHEN current_setting('server_version_num')::integer >= ${oldestServerVersion}
         THEN set_config('client_connection_check_interval', '1000', false) END,
       CASE WHEN current_setting('server_version_num')::integer >= ${oldestServerVersion}
         THEN set_config('jit', 'off', false) END`,
    [String(statementTimeoutMs), String(idleTransactionTimeoutMs)],
  );
  if (rows[0]?.standby !== false) throw new Error('the server is a standby; the URL must lead to the primary');
  if (Number(rows[0].version) < oldestServerVersion)
    throw new Error(`the server has version number ${rows[0].version}, it must be ${oldestServerVersion} or higher`);
}

async function tlsOptions({ caFile, certFile, keyFile }: PostgresTls): Promise<ConnectionOptions> {
  return {
    rejectUnauthorized: true,
    ...(caFile === undefined ? {} : { ca: await readPem(caFile, 'caFile') }),
    ...(certFile === undefined ? {} : { cert: await readPem(certFile, 'certFile') }),
    ...(keyFile === undefined ? {} : { key: await readPem(keyFile, 'keyFile') }),
  };
}

async function readPem(path: string, field: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    const reason = messageOf(cause);
    throw new MillraceError('config.invalid', `tls.${field} of PostgreSQL cannot be read: ${reason}`, { cause });
  }
}

/** The socket beneath, which the driver's types leave out. */
function streamOf(connection: ClientBase): { destroy(): unknown } {
  return (connection as unknown as { readonly connection: { readonly stream: { destroy(): unknown } } }).connection
    .stream;
}

function noAnswer(ms: number): string {
  return `PostgreSQL did not answer for ${ms} ms`;
}
