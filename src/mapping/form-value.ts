import type { FormObject, FormValue } from './form-tree.ts';
import type { PathStep } from './path.ts';

/** Walks a form body strictly: an index enters only arrays, a key only objects. Undefined: not there. */
export function formValueAt(root: FormObject, steps: readonly PathStep[]): FormValue | undefined {
  let value: FormValue | undefined = root;
  for (const step of steps) {
    if (step.kind === 'key') value = value instanceof Map ? value.get(step.text) : undefined;
    else value = Array.isArray(value) ? value[Number(step.text)] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** Compact JSON of a form value, names in the order received; undefined when a text in it is not UTF-8. */
export function formJson(value: FormValue): string | undefined {
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return undefined;
  const parts: string[] = [];
  const isArray = Array.isArray(value);
  for (const [name, inner] of value.entries()) {
    const json = formJson(inner);
    if (json === undefined) return undefined;
    parts.push(isArray ? json : `${JSON.stringify(name)}:${json}`);
  }
  return isArray ? `[${parts.join(',')}]` : `{${parts.join(',')}}`;
}
