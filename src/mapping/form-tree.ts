import { limits } from '../core/limits.ts';
import { shortened } from '../core/shortened.ts';
import { FormFault } from './form-fault.ts';

/** A value of a form body. Null fills the gaps of an array; bytes are a text that is not UTF-8. */
export type FormValue = string | Uint8Array | null | FormArray | FormObject;
export type FormArray = FormValue[];
export type FormObject = Map<string, FormValue>;

/** Largest index of an array: what lies below it is filled with null. */
const maxIndex = 999;
/** Array elements that all gaps of one body may fill. */
const maxGaps = 10_000;

/**
 * The fields of a form, by their names: `a` is a text, `a[b]` is in an object, `a[0]` in an array, `a[]` appends, in any
 * nesting; of a name that comes again the last value counts, also where it is of another kind.
 */
export class FormTree {
  readonly root: FormObject = new Map();
  #gaps = 0;

  /** A name that cannot be is a `FormFault`. */
  put(name: string, value: FormValue): void {
    this.#put(formKey(name), value);
  }

  #put(key: FormKey, leaf: FormValue): void {
    if (key.steps.length > limits.jsonNesting) {
      throw new FormFault(`the field name "${shown(key.name)}" nests deeper than ${limits.jsonNesting} levels`);
    }
    let holder: FormObject | FormArray = this.root;
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
