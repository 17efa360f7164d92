import { createHash } from 'node:crypto';

const longest = 64;

/** In a column's name the path begins with `[].`, which counts for its length and is cut off again. */
export function safeColumnName(path: string): string {
  return safeName(`[].${path}`);
}

/**
 * The name of a table or of an added column: letters of ASCII, digits, `-` and single `_`, none of them at its ends; may be empty. A
 * longer name keeps its end, from an underscore on, behind initials, or behind its md5 when it is one word.
 */
export function safeName(text: string): string {
  const name = text.replaceAll(/[^A-Za-z0-9-]/gu, '_');
  return shortened(name).replaceAll(/_+/g, '_').replaceAll(/^_|_$/g, '');
}

function shortened(name: string): string {
  if (name.length <= longest) return name;
  const prefix = `${oneWord(name) ? createHash('md5').update(name).digest('hex') : initials(name)}_`;
  const cut = name.indexOf('_', name.length - Math.max(longest - prefix.length, 0));
  return cut === -1 ? prefix : prefix + name.slice(cut);
}

/** Digits and underscores stand between words. */
function oneWord(name: string): boolean {
  return [...name.matchAll(/[A-Za-z-]+/g)].length <= 1;
}

/** Of the parts between dashes. No more than leave room for an end. */
function initials(name: string): string {
  return [...name.matchAll(/\b\w/g)]
    .map(([initial]) => initial)
    .join('')
    .slice(0, longest / 2);
}

/** Gives each name once: a repeated one gets `_u0`, `_u1`, … */
export class UniqueNames {
  /** With the number that each gets when it comes again, so that thousands of equal names are not tried one by one. */
  readonly #taken = new Map<string, number>();

  take(name: string): string {
    let free = name;
    let at = this.#taken.get(name) ?? 0;
    while (this.#taken.has(free)) free = `${name}_u${at++}`;
    this.#taken.set(name, at).set(free, this.#taken.get(free) ?? 0);
    return free;
  }
}
