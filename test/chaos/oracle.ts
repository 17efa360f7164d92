/** An event that was sent once. Times are of `performance.now()`. */
export interface Posted {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined: no answer came, and nobody knows what became of it. */
  readonly status: number | undefined;
  /** What the sender was told, for a person. */
  readonly told?: string;
}

/** What clients know about the events that they sent, each once and never again. */
export class Oracle {
  readonly #posted = new Map<number, Posted>();
  readonly #acknowledged = new Set<number>();
  #sent = 0;

  /** The number of the next event, which counts as sent from now on. */
  next(): number {
    this.#sent += 1;
    return this.#sent;
  }

  note(number: number, posted: Posted): void {
    this.#posted.set(number, posted);
    if (isTaken(posted.status)) this.#acknowledged.add(number);
  }

  /** Events may be in a table from 1 to here; no other one may. */
  get sent(): number {
    return this.#sent;
  }

  /** Numbers that were answered with a 2xx. */
  get acknowledged(): ReadonlySet<number> {
    return this.#acknowledged;
  }

  posted(number: number): Posted | undefined {
    return this.#posted.get(number);
  }
}

export function isTaken(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

/** A time in which a sink surely took events, or surely took none; of `performance.now()`. */
export interface Period {
  readonly isTaking: boolean;
  readonly from: number;
  readonly to: number;
  /**
   * Of a time without the sink, where transactions can hold back what is stable: the stable ends right before it came back, by
   * partition; none where they are unknown. Only what lies below was surely not taken, whenever it was answered: the sink
   * takes what an open transaction held back.
   */
  readonly below?: readonly number[];
}

/** Where an event stands in the topic of its source. */
export interface Place {
  readonly partition: number;
  readonly offset: number;
}

/** By number. */
export type Places = ReadonlyMap<number, Place>;
