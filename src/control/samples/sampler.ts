import { jumpBetween, type BothClocks, type ClockJump } from '../../core/accounts/clock-jump.ts';
import { sampleSteps, type SampledNow } from '../../core/accounts/samples.ts';
import { limits } from '../../core/limits.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { clockJumpsDocuments, clockJumpsId, type ClockJumps } from '../../documents/clock-jumps-document.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { countSinks, countSources } from './counted-sinks.ts';
import { SampleStore } from './sample-store.ts';

type SamplerParts = Pick<Parts, 'catalog' | 'clock' | 'samplingClock' | 'sourceLog' | 'telemetry'>;

/** A clock that is behind the last sample has this long to come back, by the monotonic one. */
const behindMs = limits.clockDifferenceMs;

/**
 * Counts all sinks once a minute and keeps the numbers. One tenure of the seat has one: whoever loses the seat writes no sample more,
 * because the catalog that it is given refuses it.
 *
 * Samples never go back in time. While the wall clock is behind the last sample none is taken, and that is told; when it has been for an
 * hour, the clock of the last samples was ahead, and these are removed.
 */
export class Sampler {
  readonly #parts: SamplerParts;
  readonly #store: SampleStore;
  #last: number | undefined;
  #isLastKnown = false;
  /** Of the last round. */
  #clocks: BothClocks | undefined;
  /** Monotonic, since when the wall clock is behind the last sample. */
  #behindSince: number | undefined;
  /** Block of the minute samples that the store was last tidied in. */
  #tidied: number | undefined;

  constructor(parts: SamplerParts) {
    this.#parts = parts;
    this.#store = new SampleStore(parts.catalog);
  }

  /** A round at the beginning of each minute, until the signal is aborted. One that fails leaves its minute without samples. */
  async run({ signal }: Waiting): Promise<void> {
    const { telemetry } = this.#parts;
    const clock = clockOf(this.#parts);
    for (;;) {
      await clock.sleep(untilMinute(clock.now()), { signal }).catch(() => undefined);
      if (signal.aborted) return;
      try {
        await this.round({ signal });
      } catch (thrown) {
        if (!signal.aborted) telemetry.log.warn({ err: thrown }, 'sinks were not sampled');
      }
    }
  }

  /** Takes the sample of this minute, and the one of this hour when it has none yet. */
  async round({ signal }: Waiting): Promise<void> {
    const clock = clockOf(this.#parts);
    const clocks = { wall: clock.now(), monotonic: clock.monotonic() };
    const at = Math.floor(clocks.wall);
    const jump = this.#clocks && jumpBetween(this.#clocks, clocks);
    this.#clocks = clocks;
    if (jump !== undefined) await this.#tell(jump, { signal });
    if (!this.#isLastKnown) {
      this.#last = await this.#store.last({ signal });
      this.#isLastKnown = true;
    }
    if (this.#last !== undefined && at < this.#last) return this.#wait({ at, last: this.#last }, { signal });
    this.#behindSince = undefined;
    const sinks = await this.#count({ signal });
    this.#last = at;
    await this.#store.append('minute', { at, sinks }, { signal });
    await this.#store.append('hour', { at, sinks }, { signal });
    await this.#tidy(at, { signal });
  }

  async #count(options: Waiting): Promise<readonly SampledNow[]> {
    const sources = await countSources(this.#parts, undefined, options);
    const sinks: SampledNow[] = [];
    for await (const page of countSinks(this.#parts, sources, options)) {
      for (const { progress, numbers } of page) {
        const { key, incarnation } = progress;
        if (numbers !== undefined) sinks.push({ key, incarnation, numbers });
      }
    }
    return sinks;
  }

  async #tidy(at: number, options: Waiting): Promise<void> {
    const block = Math.floor(at / sampleSteps.minute.blockMs);
    if (block === this.#tidied) return;
    await this.#store.removeOld(options);
    this.#tidied = block;
  }

  async #wait({ at, last }: { readonly at: number; readonly last: number }, options: Waiting): Promise<void> {
    const { telemetry } = this.#parts;
    const now = clockOf(this.#parts).monotonic();
    const since = this.#behindSince;
    if (since === undefined) {
      this.#behindSince = now;
      telemetry.log.warn({ lastSample: iso(last), now: iso(at) }, 'the clock is behind the last sample: none is taken');
      return;
    }
    if (now - since < behindMs) return;
    await this.#store.removeAfter(at, options);
    telemetry.log.warn({ lastSample: iso(last), now: iso(at) }, 'samples of a clock that was ahead were removed');
    this.#isLastKnown = false;
    this.#behindSince = undefined;
  }

  async #tell(jump: ClockJump, options: Waiting): Promise<void> {
    this.#parts.telemetry.log.warn({ at: iso(jump.at), seconds: jump.byMs / 1000 }, 'the wall clock jumped');
    const change = (before: ClockJumps | undefined): ClockJumps => ({
      ...before,
      jumps: [...(before?.jumps ?? []), jump].slice(-limits.clockJumps),
    });
    const place = { kind: clockJumpsDocuments, id: clockJumpsId };
    await changeDocument(this.#parts.catalog, { ...place, change }, options);
  }
}

function clockOf({ clock, samplingClock = clock }: SamplerParts): Parts['clock'] {
  return samplingClock;
}

/** To the beginning of the next minute. */
function untilMinute(now: number): number {
  return sampleSteps.minute.stepMs - (now % sampleSteps.minute.stepMs);
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
