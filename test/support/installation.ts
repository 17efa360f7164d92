import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Entry } from './built-entry.ts';
import { lastingPort } from './free-port.ts';
import { startProcess, type ProductProcess } from './process.ts';
import { Shop } from './shop.ts';

export const rootToken = 'e2e-root-token';

export interface InstallationOptions {
  /** Default: a temporary folder, which goes at the end. */
  readonly folder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How many files the process may have open. */
  readonly openFiles?: number;
  /** As of `ProcessOptions`. */
  readonly launcher?: string;
  /** As of `ProcessOptions`. */
  readonly entry?: Entry;
}

/** A data folder and the process that works on it, which can be stopped and started again under the same addresses. */
export class Installation implements AsyncDisposable {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly #ownsFolder: boolean;
  readonly #openFiles: number | undefined;
  readonly #launcher: string | undefined;
  readonly #entry: Entry | undefined;
  #process: ProductProcess | undefined;

  private constructor(folder: string, { env = {}, openFiles, launcher, entry, ...options }: InstallationOptions) {
    this.folder = folder;
    this.env = env;
    this.#openFiles = openFiles;
    this.#launcher = launcher;
    this.#entry = entry;
    this.#ownsFolder = options.folder === undefined;
  }

  static async start(options: InstallationOptions = {}): Promise<Installation> {
    const own = options.folder ?? (await mkdtemp(join(tmpdir(), 'millrace-e2e-')));
    const env = {
      MILLRACE_DATA_DIR: own,
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_ADMIN_PORT: String(await lastingPort()),
      MILLRACE_INGEST_PORT: String(await lastingPort()),
      MILLRACE_OTLP_GRPC_PORT: String(await lastingPort()),
      MILLRACE_LOG_LEVEL: 'warn',
      // The same on every machine.
      MILLRACE_THREADS: '1',
      // All of them from the start, where a test wants more: not when there is load for them.
      MILLRACE_LEAST_INGEST_THREADS: '64',
      ...options.env,
    };
    const installation = new Installation(own, { ...options, env });
    await installation.start();
    return installation;
  }

  get process(): ProductProcess {
    if (this.#process === undefined) throw new Error('the process is not started');
    return this.#process;
  }

  async start(): Promise<void> {
    const openFiles = this.#openFiles;
    const { env } = this;
    const [launcher, entry] = [this.#launcher, this.#entry];
    this.#process = await startProcess({
      env,
      launcher,
      ...(entry === undefined ? {} : { entry }),
      ...(openFiles === undefined ? {} : { openFiles }),
    });
  }

  /** Sends the signal and answers how the process ended. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<string> {
    const { process } = this;
    process.kill(signal);
    return process.ended;
  }

  shop(sourceId?: string): Shop {
    return new Shop({ url: this.process.admin, token: rootToken }, sourceId);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop('SIGKILL');
    if (this.#ownsFolder) await rm(this.folder, { recursive: true, force: true });
  }
}
