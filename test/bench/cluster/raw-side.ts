import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { RawTable, RawTopic, RawWork } from './raw-clients.ts';

/** kafkajs sets timers below zero, which Node says and does at once. */
export const quietDriver = '--disable-warning=TimeoutNegativeWarning';

/** Where objects are, as another process is told. */
export interface RawStore {
  readonly endpoint: string;
  readonly region: string | undefined;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

export type RawRequest =
  | ({ readonly kind: 'map'; readonly to: string } & RawTopic)
  | ({ readonly kind: 'stage'; readonly recordsPerObject: number; readonly s3: RawStore } & RawTopic)
  | ({ readonly kind: 'import'; readonly s3: RawStore } & RawTable);

/** The drivers alone, in a process that stays, so that what it runs is compiled. */
export class RawSide implements AsyncDisposable {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;

  private constructor(child: ChildProcess) {
    this.#child = child;
    this.#ended = once(child, 'exit').then(([code]) => {
      throw new Error(`the process of the drivers ended with ${String(code)}`);
    });
    this.#ended.catch(() => undefined);
  }

  static async start(): Promise<RawSide> {
    const child = fork(new URL('raw-process.ts', import.meta.url), { execArgv: [quietDriver] });
    await once(child, 'message');
    return new RawSide(child);
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** Rejects when the process ends instead. */
  async run(request: RawRequest): Promise<RawWork> {
    this.#child.send(request);
    const [work] = (await Promise.race([once(this.#child, 'message'), this.#ended])) as [RawWork];
    return work;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill();
    await exited;
  }
}
