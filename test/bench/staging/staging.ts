import { RetryPacing } from '../../../src/core/retry-pacing.ts';
import type { Ports } from '../../../src/runtime/composition/ports.ts';
import type { DataFolder } from '../../../src/runtime/embedded/data-folder.ts';
import { systemClock } from '../../../src/runtime/system-clock.ts';
import { unique } from '../../../src/runtime/unique.ts';
import { Configuration } from '../../../src/stages/replica/configuration.ts';
import { StageService } from '../../../src/stages/stage/stage-service.ts';
import { StatusBoard } from '../../../src/stages/status/status-board.ts';
import { HeldLog } from './held-log.ts';
import { never } from './outcomes.ts';

/** The stage of a process, which runs until it is disposed. */
export class Staging implements AsyncDisposable {
  readonly #held: HeldLog;
  readonly #leaving = new AbortController();
  #service: StageService | undefined;
  #ended: Promise<unknown> = Promise.resolve();
  #staged = 0;
  #onSealed: () => void = () => undefined;
  #failure: unknown;

  private constructor(held: HeldLog) {
    this.#held = held;
  }

  /** Held, when it stands at the beginning of the sink that is there. */
  static async start(ports: Ports, { local }: DataFolder): Promise<Staging> {
    const held = new HeldLog(ports.sinkLog);
    const staging = new Staging(held);
    const configuration = new Configuration({ catalog: ports.catalog, onInvalid: () => undefined });
    await configuration.load({ signal: never });
    const service = new StageService({
      ...ports,
      sinkLog: held.log,
      configuration,
      folder: local,
      status: new StatusBoard({
        catalog: ports.catalog,
        clock: systemClock,
        role: 'stage',
        member: 'bench',
        observer: { sinkFailed: () => undefined, sinkHealed: () => undefined },
      }),
      observer: {
        sliceSealed: (_, { slice }) => {
          staging.#staged = slice.to + 1;
          staging.#onSealed();
        },
        topicTorn: () => undefined,
        uploadsWait: () => undefined,
        holesFound: () => undefined,
      },
      clock: systemClock,
      unique,
      retry: new RetryPacing({ firstMs: 100, capMs: 1000 }, Math.random),
      member: 'bench',
      pollBytes: 1024 * 1024,
    });
    staging.#service = service;
    const following = configuration.follow(staging.#leaving).catch(() => undefined);
    staging.#ended = Promise.all([service.run(staging.#leaving.signal), following]).catch((thrown: unknown) => {
      staging.#failure = thrown;
      staging.#onSealed();
    });
    while (service.rounds < 3) await systemClock.sleep(10, { signal: never });
    await staging.hold();
    return staging;
  }

  /** Lets it read. */
  release(): void {
    this.#held.release();
  }

  /** Resolves when it waits, and reads nothing until it is released. */
  async hold(): Promise<void> {
    await this.#held.hold();
  }

  /** Resolves when the outcomes of all source offsets below `end` are sealed. */
  async sealed(end: number): Promise<void> {
    while (this.#staged < end) {
      await new Promise<void>((resolve) => {
        this.#onSealed = resolve;
      });
      if (this.#failure !== undefined) throw new Error('the stage has ended', { cause: this.#failure });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#held.release();
    await this.#service?.drain();
    this.#leaving.abort();
    await this.#ended;
  }
}
