import type { Clock } from '../../core/clock.ts';
import type { JobEventType } from '../../core/jobs/job-event.ts';
import { limits } from '../../core/limits.ts';
import type { JobLog } from '../../documents/job-log.ts';
import type { ExtractorLog } from '../../extractor/values/extractor-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { HiddenValues } from '../../secrets/hidden-values.ts';

export interface RunLogOptions {
  readonly log: JobLog;
  readonly clock: Clock;
  readonly hidden: HiddenValues;
}

const retryMs = 1000;
const writeMs = 10_000;

/**
 * The log of a job, as its run speaks into it. Lines are written behind it, one after the other: they never hold up the job and never fail
 * it; a kill loses what was not written yet.
 */
export class RunLog implements ExtractorLog {
  readonly #options: RunLogOptions;
  readonly #closing = new AbortController();
  readonly #waiting: (readonly [JobEventType, string])[] = [];
  #isDebugging = false;
  #bytes = 0;
  #writing: Promise<void> | undefined;

  constructor(options: RunLogOptions) {
    this.#options = options;
  }

  /** Variables that its run has found to be secret. */
  get secretVariables(): ReadonlySet<string> {
    return this.#options.hidden.variables;
  }

  /** From now on lines for debugging are kept, too. */
  showDebug(): void {
    this.#isDebugging = true;
  }

  debug(text: string): void {
    if (this.#isDebugging) this.add('info', text);
  }

  info(text: string): void {
    this.add('info', text);
  }

  warning(text: string): void {
    this.add('warn', text);
  }

  add(type: JobEventType, text: string): void {
    // The log keeps no more of one job, however fast it is written.
    if (this.#waiting.length > limits.jobEvents || this.#bytes > limits.jobLogBytes) return;
    const shown = this.#options.hidden.hide(text);
    this.#bytes += Math.min(shown.length, limits.jobEventBytes);
    this.#waiting.push([type, shown]);
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
  }

  /** Resolves when everything is written, or when the catalog did not take it within so long; nothing is written after that. */
  async close(ms: number, { signal }: Waiting): Promise<void> {
    const written = new AbortController();
    const either = AbortSignal.any([signal, written.signal]);
    await Promise.race([this.#writing, this.#options.clock.sleep(ms, { signal: either }).catch(() => undefined)]);
    written.abort();
    this.#closing.abort();
  }

  /** Writes until nothing waits or the log is closed. Never rejects. */
  async #writeAll(): Promise<void> {
    const { log, clock } = this.#options;
    const { signal } = this.#closing;
    for (let line = this.#waiting[0]; line !== undefined && !signal.aborted; line = this.#waiting[0]) {
      const [type, text] = line;
      try {
        await log.write(type, text, { signal: AbortSignal.any([signal, AbortSignal.timeout(writeMs)]) });
        this.#waiting.shift();
      } catch {
        await clock.sleep(retryMs, { signal }).catch(() => undefined);
      }
    }
  }
}
