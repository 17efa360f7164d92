import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from '../support/api.ts';
import type { SinkProgressAnswer } from '../support/shop.ts';
import { chaosSinks, sinkPath } from './shop.ts';

export interface SumWatchOptions {
  /** The API of each process that serves it; asked anew for each look, because processes come back. */
  readonly apis: () => readonly Api[];
  readonly pauseMs: number;
}

/** D4 at every look: while everything goes wrong, what a sink accepted is the sum of what became of it. */
export class SumWatch {
  readonly #options: SumWatchOptions;
  #looks = 0;

  constructor(options: SumWatchOptions) {
    this.#options = options;
  }

  /** How often the sum of a sink was seen. */
  get looks(): number {
    return this.#looks;
  }

  /** Looks until the signal; rejects at the first sum that does not hold. A process that is away says nothing. */
  async run(signal: AbortSignal): Promise<void> {
    for (let turn = 0; !signal.aborted; turn += 1) {
      const apis = this.#options.apis();
      const api = apis[turn % Math.max(1, apis.length)];
      const sink = chaosSinks[turn % chaosSinks.length];
      if (api !== undefined && sink !== undefined) await this.#look(api, sink.sinkId);
      await sleep(this.#options.pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  async #look(api: Api, sinkId: string): Promise<void> {
    const found = await api.call<SinkProgressAnswer>('GET', `${sinkPath(sinkId)}/progress`).catch(() => undefined);
    if (found === undefined) return;
    if (isSumKnown(sinkId, found)) this.#looks += 1;
  }
}

/** Throws unless all that the sink accepted stands in one of the numbers; false while a log that is away does not tell what that is. */
export function isSumKnown(sinkId: string, { totals }: Pick<SinkProgressAnswer, 'totals'>): boolean {
  const { accepted, difference, ...parts } = totals;
  const { imported, dead, filtered, holes, none, givenUp, staged, inFlight } = parts;
  const sum = imported + dead + filtered + holes + none + givenUp + staged + inFlight;
  // `null` in the answer of a log that is away.
  const isKnown = Number.isInteger(accepted);
  if (difference === 0 && (!isKnown || sum === accepted)) return isKnown;
  throw new Error(`D4: sink "${sinkId}" accepted ${accepted}, and says ${JSON.stringify({ ...parts, difference })}`);
}
