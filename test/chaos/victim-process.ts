import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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

/** How a process is to die: at a named point, or without one at a random moment; `fraction` in [0, 1) says which time, or how soon. */
export interface Death {
  readonly point?: CrashPoint | undefined;
  readonly fraction?: number;
}

const token = 'chaos-root-token';
/** Under load and with an operator each point is passed far sooner, also on a busy machine. */
const reachedWithinMs = 240_000;

/** The process that is killed and comes back, always under the same addresses. */
export class VictimProcess implements AsyncDisposable {
  readonly producerPort: number;
  readonly otlpGrpcPort: number;
  readonly #options: VictimOptions;
  readonly #folder: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #power: PowerSupply | undefined;
  readonly #disk = { forgotten: 0, kept: 0 };
  #process: ProductProcess | undefined;
  #death: Death = {};
  /** Nothing was written since the disk forgot. */
  #isWhole = true;

  private constructor(options: VictimOptions, folder: string, ports: readonly number[]) {
    const [admin, ingest, producer = 0, grpc = 0] = ports;
    const dataDir = join(folder, 'data');
    this.producerPort = producer;
    this.otlpGrpcPort = grpc;
    this.#options = options;
    this.#folder = folder;
    this.#power = options.cutsPower === true ? new PowerSupply(dataDir, join(folder, 'power')) : undefined;
    this.#env = {
      MILLRACE_DATA_DIR: dataDir,
      MILLRACE_ROOT_TOKEN: token,
      MILLRACE_ADMIN_PORT: String(admin),
      MILLRACE_INGEST_PORT: String(ingest),
      MILLRACE_OTLP_GRPC_PORT: String(grpc),
      MILLRACE_PARTITIONS: '3',
      MILLRACE_THREADS: '2',
      MILLRACE_LEAST_INGEST_THREADS: '2',
      MILLRACE_LOG_LEVEL: 'warn',
      MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1',
      CHAOS_PRODUCER_PORT: String(producer),
      ...(options.defect === undefined ? {} : { CHAOS_DEFECT: options.defect }),
      ...this.#power?.environment,
    };
  }

  static async prepare(options: VictimOptions): Promise<VictimProcess> {
    const folder = await mkdtemp(join(tmpdir(), 'millrace-chaos-'));
    for (const name of ['data', 'power']) await mkdir(join(folder, name));
    const ports = [await lastingPort(), await lastingPort(), await lastingPort(), await lastingPort()];
    return new VictimProcess(options, folder, ports);
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

  /** Until it is ready, or has died at the point of `death`. */
  async start(death: Death = {}): Promise<void> {
    const { point, fraction = 0 } = death;
    const plan = point === undefined ? {} : { CHAOS_CRASH: `${point}@${1 + Math.floor(fraction * 3)}` };
    this.#death = death;
    this.#isWhole = false;
    try {
      this.#process = await startProcess({ entry: 'victim', env: { ...this.#env, ...plan }, endsWithParent: true });
    } catch (thrown) {
      const isPlanned = point !== undefined && thrown instanceof EndedEarly && thrown.how === 'SIGKILL';
      if (!isPlanned) throw thrown;
      this.#process = undefined;
    }
  }

  /** False when it has died. */
  get isUp(): boolean {
    return this.#process?.child.signalCode === null && this.#process.child.exitCode === null;
  }

  /** Waits until it dies as it was started for; without a point, at a moment of the next two seconds. Begins it anew for another death. */
  async die(death: Death): Promise<void> {
    const { point, fraction = 0 } = death;
    if (point !== this.#death.point) {
      await this.#kill();
      await this.start(death);
    }
    const how = await this.#endsWithin(point === undefined ? 20 + fraction * 2000 : reachedWithinMs);
    if (how === undefined && point !== undefined) throw new Error(`the point ${point} was not reached`);
    if (how !== undefined && (how !== 'SIGKILL' || point === undefined))
      throw new Error(`the process ended by itself with ${how}`);
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

  /** Waits, and kills it then. Answers how it ended by itself. */
  async #endsWithin(ms: number): Promise<string | undefined> {
    const waited = new AbortController();
    const ended = this.#process?.ended ?? 'SIGKILL';
    const how = await Promise.race([ended, sleep(ms, undefined, { signal: waited.signal }).catch(() => undefined)]);
    waited.abort();
    await this.#kill();
    return how;
  }
}
