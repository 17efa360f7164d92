import { setTimeout as sleep } from 'node:timers/promises';
import { EndedEarly, startProcess, type ProductProcess } from '../../support/process.ts';
import { standStill } from '../../support/stand-still.ts';

export interface MemberOptions {
  readonly name: string;
  readonly roles: string;
  readonly env: Readonly<Record<string, string>>;
  readonly topology: string;
  readonly logFile: string;
  /** The process ended though nobody had asked it to. */
  readonly onEnd: (member: string, how: string) => void;
}

/** How long a start may take, servers that are away and a busy machine included. */
const startMs = 240_000;

/** How long it may take to leave, on a busy machine. */
const leaveMs = 90_000;

/** One process of the cluster, which is started again after it was killed. */
export class Member {
  readonly #options: MemberOptions;
  #process: ProductProcess | undefined;
  #isAsked = true;
  /** How often a start was given up by the process itself and made again, as whoever runs it would. */
  startsGivenUp = 0;

  constructor(options: MemberOptions) {
    this.#options = options;
  }

  get name(): string {
    return this.#options.name;
  }

  get roles(): readonly string[] {
    return this.#options.roles.split(',');
  }

  get process(): ProductProcess {
    if (this.#process === undefined) throw new Error(`${this.name} is not started`);
    return this.#process;
  }

  /** Resolves when the process is ready. One that gives up because a server is away is started again. */
  async start(): Promise<void> {
    const { name, roles, env, topology, logFile } = this.#options;
    const deadline = performance.now() + startMs;
    for (;;) {
      try {
        const args = ['--topology', topology, '--role', roles];
        const started = await startProcess({ args, env, logFile, endsWithParent: true, readyMs: startMs });
        this.#process = started;
        this.#isAsked = false;
        void this.#watch(started);
        return;
      } catch (thrown) {
        if (!(thrown instanceof EndedEarly) || thrown.how !== '1' || performance.now() > deadline)
          throw new Error(`${name} does not start`, { cause: thrown });
        this.startsGivenUp += 1;
        await sleep(500);
      }
    }
  }

  async #watch(started: ProductProcess): Promise<void> {
    const how = await started.ended;
    if (this.#process === started && !this.#isAsked) this.#options.onEnd(this.name, how);
  }

  async kill(): Promise<void> {
    this.#isAsked = true;
    this.#process?.kill('SIGKILL');
    await this.#process?.ended;
  }

  /** Resolves when all of it stands still. */
  async freeze(): Promise<void> {
    await standStill(this.process.child.pid as number);
  }

  thaw(): void {
    this.process.kill('SIGCONT');
  }

  /** Asks it to leave; rejects when it does not leave with 0. */
  async leave(): Promise<void> {
    this.#isAsked = true;
    this.process.kill('SIGTERM');
    const timers = [
      // Node writes a report: what the process still waits for.
      setTimeout(() => this.process.kill('SIGUSR2'), leaveMs),
      setTimeout(() => this.process.kill('SIGABRT'), leaveMs + 5000),
    ];
    const how = await this.process.ended;
    for (const timer of timers) clearTimeout(timer);
    if (how !== '0') throw new Error(`D10: ${this.name} was asked to leave and ended with ${how}`);
  }
}
