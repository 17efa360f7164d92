import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../support/api.ts';
import { lastingPort } from '../support/free-port.ts';
import { EndedEarly, startProcess, type ProductProcess } from '../support/process.ts';
import type { CrashPoint } from './crash-points.ts';
import type { Defect } from './planted.ts';
import type { Lost } from './power/power-cut.ts';
import { PowerSupply } from './power/power-supply.ts';

export interface VictimOptions {
  readonly defect?: Defect;
  readonly cutsPower?: boolean;
  /** Decides what a disk forgets. */
  readonly random: () => number;
}

const token = 'chaos-root-token';
/** Under load and with an operator each point is passed far sooner, also on a busy machine. */
const reachedWithinMs = 120_000;

/** The process that is killed and comes back, always under the same addresses. */
export class VictimProcess implements AsyncDisposable {
  readonly producerPort: number;
  readonly #options: VictimOptions;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #power: PowerSupply | undefined;
  readonly #disk = { forgotten: 0, kept: 0 };
  #process: ProductProcess | undefined;
  /** Nothing was written since the disk forgot. */
  #isWhole = true;

  private constructor(options: VictimOptions, folder: string, ports: readonly number[]) {
    const [admin, ingest, producer = 0] = ports;
    const dataDir = join(folder, 'data');
    this.producerPort = producer;
    this.#options = options;
    this.#folder = folder;
    this.#power = options.cutsPower === true ? new PowerSupply(dataDir, join(folder, 'power')) : undefined;
    this.#env = {
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ROOT_TOKEN: token,
      MILLRACE_ADMIN_PORT: String(admin),
      MILLRACE_INGEST_PORT: String(ingest),
      MILLRACE_PARTITIONS: '3',
      MILLRACE_LOG_LEVEL: 'warn',
      CHAOS_PRODUCER_PORT: String(producer),
      ...(options.defect === undefined ? {} : { CHAOS_DEFECT: options.defect }),
      ...this.#power?.environment,
    };
  }

  static async prepare(options: VictimOptions): Promise<VictimProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
    for (const name of ['data', 'power']) await mkdir(join(folder, name));
    return new VictimProcess(options, folder, [await lastingPort(), await lastingPort(), await lastingPort()]);
  }

  /** What the disk forgot in all cuts of the power, and what it kept though it was not synced. */
  get disk(): Lost {
    return this.#disk;
  }

  /** Its address stays, also while there is no process. */
  get api(): Api {
    return new Api(`http://127.0.0.1:${this.#env['MILLRACE_ADMIN_PORT']}`, token);
  }

  get ingest(): string {
    return `http://127.0.0.1:${this.#env['MILLRACE_INGEST_PORT']}`;
  }

  /** The last that it said to standard error. */
  said(): string {
    return this.#process?.stderr().slice(-4000) ?? '';
  }

  async start(crash?: string): Promise<void> {
    const env = crash === undefined ? this.#env : { ...this.#env, CHAOS_CRASH: crash };
    this.#process = await startProcess({ entry: 'victim', env, endsWithParent: true });
    this.#isWhole = false;
  }

  /** Dies at a named point, or at a moment of the next two seconds; `fraction` in [0, 1) says which, or how soon at the point. */
  async killAt(point: CrashPoint | undefined, fraction: number): Promise<void> {
    if (point === undefined) {
      if (await this.#diesWithin(20 + fraction * 2000)) throw new Error('the process ended by itself');
      return;
    }
    await this.#kill();
    try {
      await this.start(`${point}@${1 + Math.floor(fraction * 3)}`);
    } catch (thrown) {
      if (!(thrown instanceof EndedEarly && thrown.how === 'SIGKILL')) throw thrown;
      this.#isWhole = false;
      this.#cut();
      return;
    }
    if (!(await this.#diesWithin(reachedWithinMs))) throw new Error(`the point ${point} was not reached`);
  }

  /** Asks it to leave; rejects when it does not leave with 0. */
  async leave(): Promise<void> {
    this.#process?.kill('SIGTERM');
    const how = await this.#process?.ended;
    if (how !== '0') throw new Error(`D10: the process was asked to leave and ended with ${how}`);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#kill();
    await rm(this.#folder, { recursive: true, force: true });
  }

  async #kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.ended;
    if (!this.#isWhole) this.#cut();
  }

  #cut(): void {
    this.#isWhole = true;
    const lost = this.#power?.cut(this.#options.random);
    this.#disk.forgotten += lost?.forgotten ?? 0;
    this.#disk.kept += lost?.kept ?? 0;
  }

  /** Waits; kills when the process has not died by itself by then. True when it had. */
  async #diesWithin(ms: number): Promise<boolean> {
    const timer = Promise.withResolvers<false>();
    const handle = setTimeout(() => timer.resolve(false), ms);
    const died = await Promise.race([this.#process?.ended.then(() => true), timer.promise]);
    clearTimeout(handle);
    await this.#kill();
    return died === true;
  }
}
