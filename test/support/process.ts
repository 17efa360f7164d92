import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { builtEntry, type Entry } from './built-entry.ts';

export interface ProcessOptions {
  /** Default: the product's command line with `start`. */
  readonly entry?: Entry;
  /** The launcher of a package, which is started instead of a build of the sources. */
  readonly launcher?: string | undefined;
  /** The Node that runs it; absent: the one of this process. */
  readonly node?: string;
  /** Options of Node besides. */
  readonly nodeOptions?: readonly string[];
  /** After `start`; only of the product's command line. */
  readonly args?: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Where standard error goes: `inherit`, or collected for the message of a failure. */
  readonly stderr?: 'inherit' | 'collect';
  /** It is killed when this process ends in whatever way, where the machine can do that (Linux). */
  readonly endsWithParent?: boolean;
  /** File to which standard error goes besides. */
  readonly logFile?: string;
  readonly readyMs?: number;
  /** How many files it may have open, where the machine can do that (Linux). */
  readonly openFiles?: number;
}

/** A process of the product that said it is ready. */
export interface ProductProcess {
  readonly child: ChildProcess;
  /** Base addresses; empty for what its roles do not serve. */
  readonly admin: string;
  readonly ingest: string;
  readonly otlpGrpc: string;
  readonly ops: string;
  /** Resolves with the exit code or signal when it has ended, and all that it said has been read. */
  readonly ended: Promise<string>;
  stderr(): string;
  kill(signal: NodeJS.Signals): void;
}

/** The process ended before it was ready; `how` is its exit code or signal. */
export class EndedEarly extends Error {
  readonly how: string;

  constructor(how: string, stderr: string) {
    super(`the process ended with ${how} before it was ready:\n${stderr}`);
    this.how = how;
  }
}

/** Replaces itself by the command that it is given. */
const parentDeathCommand = '/usr/bin/setpriv';
export const openFilesCommand = '/usr/bin/prlimit';

/** Starts the product in a process of its own and waits for its ready line; rejects when it ends or stays silent. */
export async function startProcess({
  entry = 'main',
  launcher,
  node = process.execPath,
  nodeOptions = [],
  args: extra = [],
  env,
  stderr = 'collect',
  logFile,
  endsWithParent = false,
  readyMs = 120_000,
  openFiles,
}: ProcessOptions): Promise<ProductProcess> {
  const file = launcher ?? (await builtEntry(entry));
  const args = entry === 'main' ? ['--max-semi-space-size=8', file, 'start', ...extra] : [file];
  const command = endsWithParent && existsSync(parentDeathCommand) ? [parentDeathCommand, '--pdeathsig', 'KILL'] : [];
  if (openFiles !== undefined) command.push(openFilesCommand, `--nofile=${openFiles}`);
  const [program = node, ...rest] = [...command, node, ...nodeOptions, ...args];
  const child = spawn(program, rest, {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', MILLRACE_OTLP_GRPC_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', stderr === 'inherit' ? 'inherit' : 'pipe'],
  });
  const errors: string[] = [];
  if (logFile !== undefined) child.stderr?.pipe(createWriteStream(logFile, { flags: 'a' }));
  child.stderr?.on('data', (chunk: Buffer) => {
    errors.push(chunk.toString());
    if (errors.length > 500) errors.shift();
  });
  const ended = once(child, 'close').then(([code, signal]) => String(code ?? signal));
  const timer = setTimeout(() => child.kill('SIGKILL'), readyMs);
  try {
    const ready = await Promise.race([readyLine(child), ended]);
    if (typeof ready === 'string') throw new EndedEarly(ready, errors.join(''));
    return { child, ...ready, ended, stderr: () => errors.join(''), kill: (signal) => void child.kill(signal) };
  } finally {
    clearTimeout(timer);
  }
}

type Addresses = Pick<ProductProcess, 'admin' | 'ingest' | 'otlpGrpc' | 'ops'>;

function readyLine(child: ChildProcess): Promise<Addresses> {
  const found = Promise.withResolvers<Addresses>();
  if (child.stdout === null) throw new Error('the process has no standard output');
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (!line.includes('"event":"ready"')) return;
    const { admin = '', ingest = '', otlpGrpc = '', ops = '' } = JSON.parse(line) as Partial<Addresses>;
    found.resolve({ admin, ingest, otlpGrpc, ops });
  });
  return found.promise;
}
