import { FilledText } from './filled-text.ts';

/** Not within `{{{`. Blanks of a JSON text are spaces. */
const placeholder = /(?<!\{)\{\{ *(vault\.([a-zA-Z0-9_-]+)) *\}\}/g;

export interface VaultFilled {
  readonly filled: FilledText;
  /** `vault.NAME`, each once and in order. */
  readonly replaced: ReadonlySet<string>;
  readonly missing: ReadonlySet<string>;
}

/** Puts the values of the vault into a JSON text; a placeholder without a value stays. */
export function fillVault(text: string, vault: ReadonlyMap<string, string>): VaultFilled {
  const filled = new FilledText();
  const replaced = new Set<string>();
  const missing = new Set<string>();
  let at = 0;
  for (const { 0: whole, 1: name = '', 2: key = '', index } of text.matchAll(placeholder)) {
    const value = vault.get(key);
    if (value === undefined) {
      missing.add(name);
      continue;
    }
    replaced.add(name);
    filled.keep(text.slice(at, index));
    filled.insert(name, value, true);
    at = index + whole.length;
  }
  filled.keep(text.slice(at));
  return { filled, replaced, missing };
}

/** Names of values of the vault that a configuration's JSON text asks for, without `vault.`. */
export function vaultNames(text: string): ReadonlySet<string> {
  return new Set(Array.from(text.matchAll(placeholder), ([, , key = '']) => key));
}
