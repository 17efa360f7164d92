import { shortened } from '../core/shortened.ts';
import { FormFault } from './form-fault.ts';
import { FormTree, type FormObject } from './form-tree.ts';
import { PercentDecoder } from './percent-decoder.ts';

export type FormResult =
  { readonly kind: 'form'; readonly root: FormObject } | { readonly kind: 'invalid'; readonly message: string };

const ampersand = 0x26;
const equals = 0x3d;
const semicolon = 0x3b;

/**
 * Reads an `application/x-www-form-urlencoded` body, with names as `FormTree` has them. `;` as separator and a broken
 * percent escape are faults.
 */
export function parseForm(body: Uint8Array): FormResult {
  try {
    return { kind: 'form', root: new FormReader(body).read() };
  } catch (thrown) {
    if (thrown instanceof FormFault) return { kind: 'invalid', message: thrown.message };
    throw thrown;
  }
}

class FormReader {
  readonly #tree = new FormTree();
  readonly #body: Uint8Array;
  readonly #decoder: PercentDecoder;

  constructor(body: Uint8Array) {
    this.#body = body;
    this.#decoder = new PercentDecoder(body);
  }

  read(): FormObject {
    const body = this.#body;
    if (body.includes(semicolon)) {
      throw new FormFault('";" is not a separator of form fields: use "&", or "%3B" for the character');
    }
    for (let at = 0; at < body.length; at++) if (body[at] !== ampersand) at = this.#field(at);
    return this.#tree.root;
  }

  /** Reads the field that begins at `at`; answers where it ends. */
  #field(at: number): number {
    const decoder = this.#decoder;
    const name = decoder.text(at, equals);
    if (typeof name !== 'string') throw new FormFault(`the field name "${shown(name.toString())}" is not valid UTF-8`);
    const value = this.#body[decoder.end] === equals ? decoder.text(decoder.end + 1, ampersand) : '';
    this.#tree.put(name, value);
    return decoder.end;
  }
}

function shown(name: string): string {
  return shortened(name, 200);
}
