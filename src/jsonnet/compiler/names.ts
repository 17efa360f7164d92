import type { FrameLayout } from './frame-layout.ts';
import type { Value } from '../values/value.ts';

/** What a name stands for: a slot, or a value that the host gave (`std`, natives). */
export type Meaning =
  | { readonly kind: 'slot'; readonly frame: FrameLayout; readonly slot: number }
  | { readonly kind: 'host'; readonly name: string; readonly value: () => Value };

/** The names that can be seen at one point of the text; inner ones hide outer ones. */
export class Names {
  readonly #outer: Names | undefined;
  readonly #own: ReadonlyMap<string, Meaning>;

  constructor(own: ReadonlyMap<string, Meaning>, outer?: Names) {
    this.#own = own;
    this.#outer = outer;
  }

  find(name: string): Meaning | undefined {
    return this.#own.get(name) ?? this.#outer?.find(name);
  }
}
