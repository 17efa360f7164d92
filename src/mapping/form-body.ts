import { Buffer, isUtf8 } from 'node:buffer';
import { limits } from '../core/limits.ts';
import { shortened } from '../core/shortened.ts';

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
 * appends, in any nesting; of a name that comes again the last value counts. `;` as separator, a broken percent
 * escape, and a name that is two kinds of value at once are faults.
 */
export function parseForm(body: Uint8Array): FormResult {
  try {
    return { kind: 'form', root: new FormReader().read(body) };
  } catch (thrown) {
    if (thrown instanceof FormFault) return { kind: 'invalid', message: thrown.message };
    throw thrown;
  }
}

class FormFault extends Error {}

class FormReader {
  readonly #root: FormObject = new Map();
  #gaps = 0;

  read(body: Uint8Array): FormObject {
    for (let at = 0; at <= body.length;) {
      const next = body.indexOf(ampersand, at);
      const end = next < 0 ? body.length : next;
      if (end > at) this.#pair(body.subarray(at, end));
      at = end + 1;
    }
    return this.#root;
  }

  #pair(pair: Uint8Array): void {
    if (pair.includes(semicolon)) {
      throw new FormFault('";" is not a separator of form fields: use "&", or "%3B" for the character');
    }
    const middle = pair.indexOf(equals);
    const name = percentDecoded(middle < 0 ? pair : pair.subarray(0, middle));
    if (!isUtf8(name)) throw new FormFault(`the field name "${shown(name.toString())}" is not valid UTF-8`);
    const value = middle < 0 ? Buffer.alloc(0) : percentDecoded(pair.subarray(middle + 1));
    this.#put(formKey(name.toString()), isUtf8(value) ? value.toString() : value);
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
    this.#leaf(holder, step, { name: key.name, leaf });
  }

  #leaf(
    holder: FormObject | FormArray,
    step: string,
    { name, leaf }: { name: string; leaf: string | Uint8Array },
  ): void {
    const there = this.#get(holder, step);
    if (Array.isArray(there) || there instanceof Map) throw twoKinds(name);
    this.#set(holder, { step, name, value: leaf });
  }

  #object(holder: FormObject | FormArray, step: string, name: string): FormObject {
    const there = this.#get(holder, step) ?? undefined;
    if (there instanceof Map) return there;
    if (there !== undefined) throw twoKinds(name);
    const value: FormObject = new Map();
    this.#set(holder, { step, name, value });
    return value;
  }

  #array(holder: FormObject | FormArray, step: string, name: string): FormArray {
    const there = this.#get(holder, step) ?? undefined;
    if (Array.isArray(there)) return there;
    if (there !== undefined) throw twoKinds(name);
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

function twoKinds(name: string): FormFault {
  return new FormFault(`the field "${shown(name)}" is used as two of text, array and object`);
}

function shown(name: string): string {
  return shortened(name, 200);
}

function percentDecoded(encoded: Uint8Array): Buffer {
  const decoded = Buffer.alloc(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at] as number;
    if (byte === 0x25) {
      const digits = Buffer.from(encoded.subarray(at + 1, at + 3)).toString('latin1');
      if (!/^[0-9a-fA-F]{2}$/.test(digits)) throw new FormFault(`invalid percent encoding "%${digits}"`);
      decoded[length++] = Number.parseInt(digits, 16);
      at += 2;
    } else {
      decoded[length++] = byte === 0x2b ? 0x20 : byte;
    }
  }
  return decoded.subarray(0, length);
}
