import { z } from 'zod';
import type { Clock } from '../../core/clock.ts';
import { parseDocument } from '../../core/documents/parse-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import { SeatLost } from './seat-lost.ts';

/** Who changes things, document `admin` of collection `meta`. */
export interface SeatHolder {
  /** Name of one life of a process; never used again. */
  readonly holder: string;
  /** Where the other processes reach it. */
  readonly url: string;
  readonly since: string;
  /** It has finished everything and changes nothing more: another one need not wait for it. */
  readonly vacated: boolean;
}

const schema: z.ZodType<SeatHolder> = z.object({
  holder: z.string(),
  url: z.string(),
  since: z.iso.datetime(),
  vacated: z.boolean(),
});

const collection = 'meta';
const id = 'admin';

export interface SeatOptions {
  /** The catalog itself: the seat guards the writes of everybody else. */
  readonly catalog: Catalog;
  readonly clock: Clock;
  /** Name of this life of the process. */
  readonly owner: string;
}

/** The one document that says which process changes things. It is taken by compare-and-set, from whoever holds it. */
export class Seat {
  readonly owner: string;
  readonly #catalog: Catalog;
  readonly #clock: Clock;

  constructor({ catalog, clock, owner }: SeatOptions) {
    this.owner = owner;
    this.#catalog = catalog;
    this.#clock = clock;
  }

  /** Who took it last; undefined when nobody ever did. */
  async holder(options: Waiting): Promise<SeatHolder | undefined> {
    return (await this.#read(options))?.value;
  }

  /** True while this process is the last one that took it. */
  async isHeld(options: Waiting): Promise<boolean> {
    const holder = await this.holder(options);
    return holder?.holder === this.owner && !holder.vacated;
  }

  /** Rejects with `SeatLost` unless this process holds the seat. A write that was read for before and passes here is nobody else's. */
  async assertHeld(options: Waiting): Promise<void> {
    if (!(await this.isHeld(options))) throw new SeatLost();
  }

  /** Takes it from whoever has it; false when somebody else took it at the same time. After a rejection: look again. */
  async take(url: string, options: Waiting): Promise<boolean> {
    const found = await this.#read(options);
    const since = new Date(this.#clock.now()).toISOString();
    const value: SeatHolder = { holder: this.owner, url, since, vacated: false };
    return this.#write(value, found?.revision, options);
  }

  /** Says that this process changes nothing more; does nothing when another one has the seat. */
  async vacate(options: Waiting): Promise<void> {
    const found = await this.#read(options);
    if (found?.value.holder !== this.owner || found.value.vacated) return;
    await this.#write({ ...found.value, vacated: true }, found.revision, options);
  }

  async #read(options: Waiting): Promise<{ readonly value: SeatHolder; readonly revision: number } | undefined> {
    const found = await this.#catalog.get(collection, id, options);
    return found && { value: parseDocument(collection, schema, found.value), revision: found.revision };
  }

  async #write(value: SeatHolder, expected: number | undefined, options: Waiting): Promise<boolean> {
    return (await this.#catalog.compareAndSet({ collection, id, expected, value }, options)).kind === 'written';
  }
}
