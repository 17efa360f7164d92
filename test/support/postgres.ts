import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { v4 } from 'uuid';
import { Secret } from '../../src/config/secrets.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { standStill } from './stand-still.ts';

const run = promisify(execFile);

const readyMs = 120_000;
const password = 'open-sesame';

/** A PostgreSQL for a suite. */
export interface PostgresForTests extends AsyncDisposable {
  /** Of a superuser, to the database `postgres`. */
  readonly url: Secret;
  /** Makes an empty database and gives its URL. */
  createDatabase(): Promise<Secret>;
}

/** One that this process has started and may kill. */
export interface StartedPostgres extends PostgresForTests {
  readonly port: number;
  /** kill -9 of the server and all that belongs to it. Resolves when they are gone. */
  kill(): Promise<void>;
  /** Stops it in an orderly way, without waiting for its clients. */
  stop(): Promise<void>;
  /** Starts it again under the same port after `kill` or `stop`. */
  start(): Promise<void>;
  /** SIGSTOP of the server and all that belongs to it, which keep their connections. Resolves when all stand still. */
  freeze(): Promise<void>;
  /** SIGCONT. */
  thaw(): Promise<void>;
}

export interface StartOptions {
  /** As postgresql.conf has them, without quotes: `fsync=on`. */
  readonly settings?: readonly string[];
  /** PEM files of certificate and key: the server takes TLS connections, too. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/**
 * Where the suites find their PostgreSQL: the URL that MILLRACE_TEST_POSTGRES names (of a superuser); else one that
 * `startPostgres` brings up from the machine's own binaries; else nowhere, with the reason.
 */
export async function whereIsPostgres(): Promise<
  | { readonly kind: 'given'; readonly url: Secret }
  | { readonly kind: 'started'; readonly binaries: string }
  | { readonly kind: 'nowhere'; readonly reason: string }
> {
  const url = process.env['MILLRACE_TEST_POSTGRES'];
  if (url !== undefined && url !== '') return { kind: 'given', url: new Secret(url) };
  const binaries = await findBinaries();
  return binaries === undefined ? { kind: 'nowhere', reason: noBinaries } : { kind: 'started', binaries };
}

const noBinaries =
  'no PostgreSQL: MILLRACE_TEST_POSTGRES is not set and there is no initdb in /usr/lib/postgresql/*/bin or the PATH';

/** True: the suite is skipped, and the reason is printed. In CI (variable CI) it throws instead. */
export async function isPostgresMissing(): Promise<boolean> {
  const place = await whereIsPostgres();
  if (place.kind !== 'nowhere') return false;
  if (process.env['CI'] !== undefined) throw new Error(place.reason);
  console.warn(`skipped, ${place.reason}`);
  return true;
}

/** The same for suites that kill the server: one that was given is not theirs to kill. */
export async function isPostgresToKillMissing(): Promise<boolean> {
  const place = await whereIsPostgres();
  if (place.kind !== 'given' || (await findBinaries()) !== undefined) return isPostgresMissing();
  console.warn('skipped, a PostgreSQL that may be killed is needed, and there is no initdb');
  return true;
}

/** The PostgreSQL of `whereIsPostgres`; disposing it takes down what was brought up for it. */
export async function openPostgresForTests(): Promise<PostgresForTests> {
  const place = await whereIsPostgres();
  switch (place.kind) {
    case 'given':
      return givenPostgres(place.url);
    case 'started':
      return startPostgres();
    case 'nowhere':
      throw new Error(place.reason);
    default:
      return place satisfies never;
  }
}

function givenPostgres(url: Secret): PostgresForTests {
  const made: string[] = [];
  return {
    url,
    createDatabase: async () => {
      const name = await createDatabase(url);
      made.push(name);
      return withDatabase(url, name);
    },
    [Symbol.asyncDispose]: async () => {
      for (const name of made) await execute(url, `DROP DATABASE "${name}" WITH (FORCE)`);
    },
  };
}

/** A server of its own on a free port, in a temporary folder, with fsync; it ends with this process. */
export async function startPostgres({ settings = [], tls }: StartOptions = {}): Promise<StartedPostgres> {
  const binaries = await findBinaries();
  if (binaries === undefined) throw new Error(noBinaries);
  const owner = await serverOwner();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-postgres-'));
  if (owner !== undefined) await chown(folder, owner.uid, owner.gid);
  const data = join(folder, 'data');
  const port = await lastingPort();
  const asOwner = owner === undefined ? {} : { uid: owner.uid, gid: owner.gid };
  const passwordFile = join(folder, 'password');
  await writeFile(passwordFile, password);
  const initdb = ['-D', data, '-U', 'postgres', '-A', 'scram-sha-256', '-E', 'UTF8', '--locale=C.UTF-8'];
  await run(join(binaries, 'initdb'), [...initdb, `--pwfile=${passwordFile}`], { ...asOwner, cwd: folder });
  const options = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=100', ...settings];
  if (tls !== undefined) {
    // The server takes a key only when it owns it.
    for (const [name, file] of Object.entries(tls)) {
      const copy = join(folder, name);
      await copyFile(file, copy);
      await chmod(copy, 0o600);
      if (owner !== undefined) await chown(copy, owner.uid, owner.gid);
    }
    options.push('ssl=on', `ssl_cert_file=${join(folder, 'cert')}`, `ssl_key_file=${join(folder, 'key')}`);
  }
  const command = [
    join(binaries, 'postgres'),
    '-D',
    data,
    '-p',
    String(port),
    // In its own folder, so that nothing of a server that is killed stays in the memory of the machine.
    '-c',
    'dynamic_shared_memory_type=mmap',
    ...options.flatMap((line) => ['-c', line]),
  ];
  const url = new Secret(`postgres://postgres:${password}@127.0.0.1:${port}/postgres`);
  let server = await startServer(command, { ...asOwner, cwd: folder }).catch(async (error: unknown) => {
    await rm(folder, { recursive: true, force: true });
    throw error;
  });
  let ending: Promise<void> | undefined;
  return {
    url,
    port,
    createDatabase: async () => withDatabase(url, await createDatabase(url)),
    kill: () => (ending = server.kill()),
    stop: () => (ending = server.stop()),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    start: async () => {
      // Whoever sees a connection break is earlier than whoever waits for the server to be gone.
      await ending;
      server = await startAgain(command, { ...asOwner, cwd: folder });
    },
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

interface Server {
  kill(): Promise<void>;
  stop(): Promise<void>;
  freeze(): Promise<void>;
  thaw(): Promise<void>;
}

interface Place {
  readonly uid?: number;
  readonly gid?: number;
  readonly cwd: string;
}

/** One that was killed may have made another process in that moment, which ends by itself, and keeps a new server out until then. */
async function startAgain(command: readonly string[], place: Place): Promise<Server> {
  for (const deadline = performance.now() + readyMs; ;) {
    try {
      return await startServer(command, place);
    } catch (thrown) {
      if (performance.now() > deadline || !String(thrown).includes('shared memory block')) throw thrown;
      await sleep(20);
    }
  }
}

/** Resolves when it takes connections. */
async function startServer(command: readonly string[], place: Place): Promise<Server> {
  // The shell ends the server when its standard input closes: also when this process is killed.
  const script =
    '"$@" </dev/null & server=$!; echo "server $server"; (cat >/dev/null; kill -QUIT $server) <&3 & wait $server';
  const child = spawn('sh', ['-c', `exec 3<&0; ${script}`, 'sh', ...command], {
    ...place,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const pid = await untilStarted(child);
  const signal = async (name: NodeJS.Signals, pids: readonly number[]): Promise<void> => {
    if (child.exitCode === null) for (const each of pids) killIfThere(each, name);
    await ended;
    child.stdin.end();
  };
  return {
    // The processes of the server end by themselves when it is gone; killed at once, none of them writes anything more.
    // It is stopped first, so that it starts no others, and they must be gone before it can be started again.
    kill: async () => {
      if (child.exitCode === null) await standStill(pid);
      const children = await childrenOf(pid);
      await signal('SIGKILL', [pid, ...children]);
      await eventually(async () => {
        for (const each of children) if (await isRunning(each)) throw new Error(`process ${each} is still there`);
      });
    },
    stop: () => signal('SIGINT', [pid]),
    freeze: async () => {
      await standStill(pid);
      for (const each of await childrenOf(pid)) await standStill(each);
    },
    thaw: async () => {
      for (const each of [...(await childrenOf(pid)), pid]) killIfThere(each, 'SIGCONT');
    },
  };
}

function killIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}

/** A process that has ended but was not yet asked for by its parent is no longer running. */
async function isRunning(pid: number): Promise<boolean> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return text !== '' && !/\) Z /.test(text);
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}

async function untilStarted(child: ChildProcess): Promise<number> {
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const fail = (why: string): void => reject(new Error(`PostgreSQL ${why}:\n${lines.join('\n')}`));
  let pid = 0;
  const onLine = (line: string): void => {
    lines.push(line);
    if (lines.length > 100) lines.shift();
    if (line.startsWith('server ')) pid = Number(line.slice('server '.length));
    if (line.includes('database system is ready to accept connections')) resolve(pid);
  };
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
  child.once('exit', () => fail('ended before it was ready'));
  const timer = setTimeout(() => fail(`is not ready after ${readyMs} ms`), readyMs);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

/** The newest of Debian's folders, else the PATH. */
async function findBinaries(): Promise<string | undefined> {
  const root = '/usr/lib/postgresql';
  const versions = await readdir(root).catch(() => []);
  const folders = versions.sort((a, b) => Number(b) - Number(a)).map((version) => join(root, version, 'bin'));
  for (const folder of [...folders, ...(process.env['PATH'] ?? '').split(':')]) {
    const found: readonly string[] = await readdir(folder).catch(() => []);
    if (found.includes('initdb') && found.includes('postgres')) return folder;
  }
  return undefined;
}

/** PostgreSQL refuses to run as root: then the user `postgres` runs it. */
async function serverOwner(): Promise<{ readonly uid: number; readonly gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const [uid, gid] = await Promise.all(['-u', '-g'].map(async (flag) => (await run('id', [flag, 'postgres'])).stdout));
  return { uid: Number(uid), gid: Number(gid) };
}

async function createDatabase(url: Secret): Promise<string> {
  const name = `millrace_test_${v4().replaceAll('-', '')}`;
  await execute(url, `CREATE DATABASE "${name}"`);
  return name;
}

function withDatabase(url: Secret, database: string): Secret {
  const changed = new URL(url.reveal());
  changed.pathname = `/${database}`;
  return new Secret(changed.href);
}

/** Runs one statement on a connection of its own. */
export async function execute(url: Secret, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ connectionString: url.reveal() });
  client.on('error', () => {});
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(text);
    return rows;
  } finally {
    await client.end();
  }
}
