import type { Clock } from '../../core/clock.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { serverAway } from '../../telemetry/process-life.ts';
import { createOps } from '../composition/ops-handlers.ts';
import { OpsService } from '../composition/ops-service.ts';
import type { Place } from '../composition/supervise-listener.ts';
import { isAway } from './is-away.ts';

export interface PatientStart<T> {
  /** Starts, or rejects with nothing left open. Calls `listening` before it listens at the place itself. */
  readonly attempt: (listening: () => Promise<void>) => Promise<T>;
  /** Where the process will show its health. */
  readonly place: Place;
  readonly telemetry: Telemetry;
  readonly clock: Clock;
  readonly random: () => number;
  /** Ends the waiting: the call then rejects with its reason. */
  readonly signal: AbortSignal;
}

const policy = { firstMs: 200, capMs: 5000 };

/**
 * Starts, again and again while a server is away. The process is alive meanwhile and not ready, and says what it waits for, in its log
 * and at `/health/ready`. Whatever waiting does not mend rejects at once.
 */
export async function startPatiently<T>({ attempt, clock, random, signal, ...shown }: PatientStart<T>): Promise<T> {
  await using pages = new WaitingPages(shown);
  const retry = new RetryPacing(policy, random);
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt(() => pages.close());
    } catch (thrown) {
      signal.throwIfAborted();
      const error = thrown instanceof SuppressedError ? (thrown.suppressed as unknown) : thrown;
      if (!isAway(error)) throw error;
      const retryInMs = retry.pauseMs(tries);
      serverAway(shown.telemetry, { error, attempt: tries, retryInMs });
      await pages.open(`${error.code}, ${error.message}`);
      await clock.sleep(retryInMs, { signal });
    }
  }
}

/** Of those who look whether it starts. */
const maxConnections = 64;

/** Health and metrics of a process that has not started yet. */
class WaitingPages implements AsyncDisposable {
  readonly #shown: Pick<PatientStart<unknown>, 'place' | 'telemetry'>;
  #reason = '';
  #service: OpsService | undefined;

  constructor(shown: Pick<PatientStart<unknown>, 'place' | 'telemetry'>) {
    this.#shown = shown;
  }

  /** `config.invalid` when it cannot listen. */
  async open(reason: string): Promise<void> {
    this.#reason = reason;
    if (this.#service !== undefined) return;
    const { telemetry, place } = this.#shown;
    const hindrances = (): readonly string[] => [`the process starts and waits for a server: ${this.#reason}`];
    const service = new OpsService(createOps({ telemetry, threads: () => [], hindrances }), {
      ...place,
      maxConnections,
    });
    await service.start();
    this.#service = service;
  }

  async close(): Promise<void> {
    const service = this.#service;
    this.#service = undefined;
    await service?.[Symbol.asyncDispose]();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
