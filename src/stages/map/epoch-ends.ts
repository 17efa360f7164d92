import type { EpochEnd } from '../../core/progress/cut.ts';
import type { EventLog, IdentifiedPartition } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** What a partition has of epochs at one moment: each is asked for once, however many sinks stand in it. */
export class EpochEnds {
  readonly #log: EventLog;
  readonly #at: IdentifiedPartition;
  readonly #asked = new Map<number, Promise<EpochEnd | undefined>>();

  constructor(log: EventLog, at: IdentifiedPartition) {
    this.#log = log;
    this.#at = at;
  }

  of(epoch: number, options: Waiting): Promise<EpochEnd | undefined> {
    const asked = this.#asked.get(epoch) ?? this.#log.epochEnd(this.#at, epoch, options);
    this.#asked.set(epoch, asked);
    return asked;
  }
}
