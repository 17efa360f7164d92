import { seededRandom } from '../chaos/random.ts';

/** Choices that a seed repeats. */
export class Dice {
  readonly #random: () => number;

  constructor(seed: number) {
    this.#random = seededRandom(seed);
  }

  /** True so often in one hundred. */
  chance(percent: number): boolean {
    return this.#random() * 100 < percent;
  }

  /** A whole number from `least` to `most`. */
  number(least: number, most: number): number {
    return least + Math.floor(this.#random() * (most - least + 1));
  }

  pick<const Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.number(0, items.length - 1)] ?? items[0];
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => this.number(0, 255)));
  }

  text(least: number, most: number): string {
    const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';
    return Array.from({ length: this.number(least, most) }, () => letters[this.number(0, letters.length - 1)]).join('');
  }
}
