import type { JsonValue } from '../../extractor/values/json-value.ts';

/** Shorter ones would hide parts of ordinary words. */
const leastLength = 4;

/** Puts `[hidden]` for each text below a key that begins with `#`, as it is and as a URL has it. */
export function hiddenTexts(configuration: JsonValue): (text: string) => string {
  const found = new Set<string>();
  collect(configuration, false, found);
  const written = [...found].flatMap((text) => [text, encodeURIComponent(text.toWellFormed())]);
  // The longest first, since one may be a part of another.
  const texts = [...new Set(written)].toSorted((one, other) => other.length - one.length);
  return (text) => texts.reduce((shown, hidden) => shown.replaceAll(hidden, '[hidden]'), text);
}

function collect(value: JsonValue, isHidden: boolean, found: Set<string>): void {
  if (typeof value === 'string') {
    if (isHidden && value.length >= leastLength) found.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, below] of Object.entries(value)) collect(below, isHidden || key.startsWith('#'), found);
  }
}
