import { FilledText, type Insertion } from './filled-text.ts';
import { tagsOf, type Tag } from './tags.ts';
import { invalidConfiguration } from './variable-error.ts';

export interface ValuesFilled {
  readonly filled: FilledText;
  /** What was put in, name ▸ value, in order. */
  readonly replaced: ReadonlyMap<string, string>;
  /** Each once and in order. */
  readonly missing: ReadonlySet<string>;
}

/** Puts the values of variables into a JSON text in which values of the vault stand already, in order. */
export function fillValues(
  text: string,
  values: ReadonlyMap<string, string>,
  ofVault: readonly Insertion[],
): ValuesFilled {
  const filled = new FilledText();
  const replaced = new Map<string, string>();
  const missing = new Set<string>();
  const vault = new VaultGuard(ofVault);
  let at = 0;
  for (const tag of tagsOf(text)) {
    vault.check(tag);
    filled.keep(text.slice(at, tag.from));
    at = tag.to;
    if (tag.kind !== 'escaped' && tag.kind !== 'unescaped') continue;
    // Of a dotted name the first part is looked up; a value is a text and has no parts, so that nothing comes of it.
    const [name = '', ...parts] = tag.name.split('.', 2);
    const value = values.get(name);
    if (value === undefined) {
      missing.add(name);
      continue;
    }
    replaced.set(name, value);
    filled.insert(name, parts.length > 0 ? '' : value, tag.kind === 'escaped');
  }
  filled.keep(text.slice(at));
  return { filled, replaced, missing };
}

/** A value of the vault may hold whole tags, or stand in a comment; it neither begins nor ends a tag, nor changes how others are read. */
class VaultGuard {
  readonly #values: readonly Insertion[];
  #next = 0;

  constructor(values: readonly Insertion[]) {
    this.#values = values;
  }

  check(tag: Tag): void {
    while ((this.#values[this.#next]?.to ?? Infinity) <= tag.from) this.#next++;
    for (let at = this.#next; (this.#values[at]?.from ?? Infinity) < tag.to; at++) {
      const value = this.#values[at];
      if (value === undefined || mayMeet(tag, value)) continue;
      throw invalidConfiguration(`the value of the variable "${value.name}" changes what a placeholder is`);
    }
  }
}

function mayMeet(tag: Tag, value: Insertion): boolean {
  if (tag.from >= value.from && tag.to <= value.to) return tag.kind !== 'delimiters';
  return tag.kind === 'empty' && tag.contentFrom <= value.from && tag.contentTo >= value.to;
}
