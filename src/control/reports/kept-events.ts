import { limits } from '../../core/limits.ts';
import type { ShownEvent } from './shown-event.ts';

interface Entry {
  /** The latest arrival up to here in its partition: the times of a producer may go back. */
  readonly order: number;
  readonly event: ShownEvent;
}

/** Of events that are added a partition at a time, the first or the last ones that fit into an answer. */
export class KeptEvents {
  readonly #limit: number;
  readonly #end: 'first' | 'last';
  #entries: readonly Entry[] = [];
  readonly #left: ShownEvent[] = [];

  constructor({ limit, end }: { readonly limit: number; readonly end: 'first' | 'last' }) {
    this.#limit = limit;
    this.#end = end;
  }

  /** By arrival; those of one partition in their order. */
  get events(): readonly ShownEvent[] {
    return this.#entries.map(({ event }) => event);
  }

  /** What an answer from the first events on has no room for: what is kept of a partition lies before what is left of it. */
  get left(): readonly ShownEvent[] {
    return this.#left;
  }

  /** All events of a partition that are to be looked at, in its order. */
  add(events: readonly ShownEvent[]): void {
    let order = 0;
    const added = events.map((event) => {
      order = Math.max(order, event.arrivedAt);
      return { order, event };
    });
    const all = [...this.#entries, ...added].toSorted(byOrder);
    if (this.#end === 'last') this.#entries = all.slice(all.length - this.#room(all.toReversed()));
    else {
      const room = this.#room(all);
      this.#entries = all.slice(0, room);
      for (const { event } of all.slice(room)) this.#left.push(event);
    }
  }

  /** How many of them fit: one at least. */
  #room(entries: readonly Entry[]): number {
    let bytes = 0;
    const over = entries.findIndex(({ event }, at) => {
      bytes += bytesOf(event);
      return at > 0 && (at >= this.#limit || bytes > limits.shownEventsBytes);
    });
    return over < 0 ? entries.length : over;
  }
}

function byOrder(one: Entry, other: Entry): number {
  if (one.order !== other.order) return one.order - other.order;
  const { partition, offset } = one.event;
  return partition === other.event.partition ? offset - other.event.offset : partition - other.event.partition;
}

/** About what an event takes in an answer beside its texts. */
const besideTexts = 200;

function bytesOf({ body, headers }: ShownEvent): number {
  let bytes = besideTexts + body.length;
  for (const [name, value] of Object.entries(headers)) bytes += name.length + value.length;
  return bytes;
}
