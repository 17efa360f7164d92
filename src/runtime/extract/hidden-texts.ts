import type { JsonValue } from '../../extractor/values/json-value.ts';
import { HiddenValues } from '../../secrets/hidden-values.ts';

/** Puts `[hidden]` for each text below a key that begins with `#`, in all forms that `HiddenValues` knows. */
export function hiddenTexts(configuration: JsonValue): (text: string) => string {
  const hidden = new HiddenValues();
  collect(configuration, false, hidden);
  return (text) => hidden.hide(text);
}

function collect(value: JsonValue, isHidden: boolean, hidden: HiddenValues): void {
  if (typeof value === 'string') {
    if (isHidden) hidden.add(value);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, below] of Object.entries(value)) collect(below, isHidden || key.startsWith('#'), hidden);
  }
}
