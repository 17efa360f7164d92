import type { Buffer } from 'node:buffer';

/**
 * Where the events of a body lie in it, in their order. Thousands of them wait for the disk together, and what collections of young
 * objects have to copy meanwhile is a good part of what an event costs: so an event is two numbers, and a view of it is made for who asks.
 */
export class EventSpans {
  readonly memory: Buffer;
  /** Where each event begins, and where it ends: two numbers for each. */
  readonly bounds: number[] = [];
  #bytes = 0;
  #longest = 0;

  constructor(memory: Buffer) {
    this.memory = memory;
  }

  /** How many there are. */
  get length(): number {
    return this.bounds.length / 2;
  }

  /** Of all events. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Bytes of the longest event. */
  get longest(): number {
    return this.#longest;
  }

  add(start: number, end: number): void {
    this.bounds.push(start, end);
    const bytes = end - start;
    this.#bytes += bytes;
    if (bytes > this.#longest) this.#longest = bytes;
  }

  /** A view of each. */
  bodies(): readonly Buffer[] {
    const { memory, bounds } = this;
    return Array.from({ length: this.length }, (_, at) => memory.subarray(bounds[2 * at], bounds[2 * at + 1]));
  }
}
