import { limits } from '../core/limits.ts';
import { shortened } from '../core/shortened.ts';
import { FormFault } from './form-fault.ts';
import { PercentDecoder } from './percent-decoder.ts';

/** A value of a form body. Null fills the gaps of an array; bytes are a text that is not UTF-8. */
export type FormValue = string | Uint8Array | null | FormArray | FormObject;
export type FormArray = FormValue[];
export type FormObject = Map<string, FormValue>;

export type FormResult =
  { readonly kind: 'form'; readonly root: FormObject } | { readonly kind: 'invalid'; readonly message: string };

/** Largest index of an array: what lies below it is filled with null. */
const maxIndex = 999;
/** Array elements that all gaps of one body may fill. */
const maxGaps = 10_000;

const ampersand = 0x26;
const equals = 0x3d;
const semicolon = 0x3b;

/**
 * Reads an `application/x-www-form-urlencoded` body: `a=1` is a text, `a[b]=1` an object, `a[0]=1` an array, `a[]=1`
 * appends, in any nesting; of a name that comes again the last value counts, also where it is of another kind. `;` as
 * separator and a broken percent escape are faults.
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
  readonly #root: FormObject = new Map();
  readonly #body: Uint8Array;
  readonly #decoder: PercentDecoder;
  #gaps = 0;

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
    return this.#root;
  }

  /** Reads the field that begins at `at`; answers where it ends. */
  #field(at: number): number {
    const decoder = this.#decoder;
    const name = decoder.text(at, equals);
    if (typeof name !== 'string') throw new FormFault(`the field name "${shown(name.toString())}" is not valid UTF-8`);
    const value = this.#body[decoder.end] === equals ? decoder.text(decoder.end + 1, ampersand) : '';
    this.#put(formKey(name), value);
    return decoder.end;
  }

  #put(key: FormKey, leaf: string | Uint8Array): void {
    if (key.steps.length > limits.jsonNesting) {
      throw new FormFault(`the field name "${shown(key.name)}" nests deeper than ${limits.jsonNesting} levels`);
    }
    let holder: FormObject | FormArray = this.#root;
    let step: string = key.first;
    for (const below of key.steps) {
      holder = isIndex(below) ? this.#array(holder, step, key.name) : this.#object(holder, step, key.name);
      step = below;
    }
    this.#set(holder, { step, name: key.name, value: leaf });
  }

  #object(holder: FormObject | FormArray, step: string, name: string): FormObject {
    const there = this.#get(holder, step);
    if (there instanceof Map) return there;
    const value: FormObject = new Map();
    this.#set(holder, { step, name, value });
    return value;
  }

  #array(holder: FormObject | FormArray, step: string, name: string): FormArray {
    const there = this.#get(holder, step);
    if (Array.isArray(there)) return there;
    const value: FormArray = [];
    this.#set(holder, { step, name, value });
    return value;
  }

  #get(holder: FormObject | FormArray, step: string): FormValue | undefined {
    if (holder instanceof Map) return holder.get(step);
    return step === '' ? undefined : holder[Number(step)];
  }

  #set(holder: FormObject | FormArray, { step, name, value }: { step: string; name: string; value: FormValue }): void {
    if (holder instanceof Map) {
      holder.set(step, value);
      return;
    }
    const index = step === '' ? holder.length : Number(step);
    this.#gaps += Math.max(0, index - holder.length);
    if (step !== '' && index > maxIndex) {
      throw new FormFault(`the field name "${shown(name)}" has an index above ${maxIndex}`);
    }
    if (this.#gaps > maxGaps) throw new FormFault(`more than ${maxGaps} array elements are missing`);
    while (holder.length < index) holder.push(null);
    holder[index] = value;
  }
}

interface FormKey {
  readonly name: string;
  readonly first: string;
  /** What stands in the brackets: digits and the empty text mean an array. */
  readonly steps: readonly string[];
}

/** A name whose brackets do not pair is a plain key. A name is as long as its sender likes: no regular expression. */
function formKey(name: string): FormKey {
  const plain: FormKey = { name, first: name, steps: [] };
  const open = name.indexOf('[');
  if (open < 1 || !name.endsWith(']')) return plain;
  const first = name.slice(0, open);
  const steps = name.slice(open + 1, -1).split('][', limits.jsonNesting + 1);
  return [first, ...steps].some((part) => part.includes('[') || part.includes(']')) ? plain : { name, first, steps };
}

function isIndex(step: string): boolean {
  return /^[0-9]*$/.test(step);
}

function shown(name: string): string {
  return shortened(name, 200);
}
