import type { Clock } from '../../core/clock.ts';
import { limits } from '../../core/limits.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import { FailureWatch } from '../../core/progress/failure-watch.ts';
import { hasLasted } from '../../core/progress/lasting-failure.ts';
import { giveUpLasting, noteFailing } from '../../core/progress/parked.ts';
import { heldSlices, type Refused, type SinkProgress, type StagedSlice } from '../../core/progress/sink-progress.ts';
import type { RunningTime } from '../../core/running-time.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportObserver } from '../../telemetry/observe-import.ts';
import type { SinkDocument } from './sink-document.ts';

export interface LastingFailuresOptions {
  readonly clock: Clock;
  /** Of this process; somebody looks all the time. */
  readonly running: RunningTime;
  readonly document: SinkDocument;
  readonly observer: Pick<ImportObserver, 'sliceGivenUp'>;
}

/**
 * Writes beside each slice of a sink how long it could not be imported, and gives it up when that has lasted for seven days by both
 * clocks. What nobody has seen fail is kept, however old its stamp.
 */
export class LastingFailures {
  readonly #options: LastingFailuresOptions;
  readonly #watch = new FailureWatch(limits.failureStepMs);

  constructor(options: LastingFailuresOptions) {
    this.#options = options;
  }

  /**
   * The slices that `pick` finds in the document have failed just now; answers the document as it stands then. Never rejects but on
   * abort: what could not be written is written after the next failure.
   */
  async note(
    pick: (progress: SinkProgress) => readonly StagedSlice[],
    { code }: MillraceError,
    { signal }: Waiting,
  ): Promise<SinkProgress | undefined> {
    const { clock, running, document } = this.#options;
    const seen = { code, now: clock.now(), ranMs: running.look(clock.monotonic()) };
    const transition = (progress: SinkProgress): SinkProgress | Refused => {
      const failed = new Set(pick(progress).map(({ id }) => id));
      return noteFailing(progress, (slice) => (failed.has(slice.id) ? this.#watch.observe(slice, seen) : undefined));
    };
    try {
      const after = (await document.apply(transition, { signal }))?.value;
      if (after === undefined) return undefined;
      this.#watch.keep(new Set(heldSlices(after).map(({ id }) => id)));
      const lasting = pick(after).filter(({ failing }) => hasLasted(failing, seen.now));
      let left: SinkProgress = after;
      for (const slice of lasting) left = (await this.#giveUp(slice, { now: seen.now, signal })) ?? left;
      return left;
    } catch (thrown) {
      if (signal.aborted) throw thrown;
      return undefined;
    }
  }

  async #giveUp(
    slice: StagedSlice,
    { now, signal }: Waiting & { readonly now: number },
  ): Promise<SinkProgress | undefined> {
    const { document, observer } = this.#options;
    const after = await document.apply((progress) => giveUpLasting(progress, { sliceId: slice.id, now }), { signal });
    if (after?.applied === true) observer.sliceGivenUp(after.value, slice);
    return after?.value;
  }
}
