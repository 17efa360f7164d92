import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../core/clock.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import { seatDocuments, seatId, type SeatHolder } from '../../documents/seat-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { SeatLost } from './seat-lost.ts';

const place = { kind: seatDocuments, id: seatId };

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
    return (await readDocument(this.#catalog, place, options))?.value;
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
    const known = await readDocument(this.#catalog, place, options);
    const since = new Date(this.#clock.now()).toISOString();
    const taken = { holder: this.owner, url, since, vacated: false };
    const change = (before: SeatHolder | undefined): SeatHolder | undefined =>
      isDeepStrictEqual(before, known?.value) ? { ...before, ...taken } : undefined;
    const left = await changeDocument(this.#catalog, { ...place, known, change }, options);
    return left?.value.holder === this.owner && left.value.since === since;
  }

  /** Says that this process changes nothing more; does nothing when another one has the seat. */
  async vacate(options: Waiting): Promise<void> {
    const change = (before: SeatHolder | undefined): SeatHolder | undefined =>
      before?.holder === this.owner && !before.vacated ? { ...before, vacated: true } : undefined;
    await changeDocument(this.#catalog, { ...place, change }, options);
  }
}
