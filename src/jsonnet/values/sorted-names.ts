import { compareText } from './compare-text.ts';

/** Up to so many names are put in order one by one, which is quicker than a sort that calls back. */
const few = 24;

/** Names in the order of code points. May change the array that it gets. */
export function sortedNames(names: string[]): readonly string[] {
  if (names.length > few) return names.sort(compareText);
  for (let index = 1; index < names.length; index++) {
    const name = names[index] ?? '';
    let at = index;
    for (; at > 0; at--) {
      const before = names[at - 1] ?? '';
      if (!comesAfter(before, name)) break;
      names[at] = before;
    }
    names[at] = name;
  }
  return names;
}

/** Mostly the first characters tell. */
function comesAfter(left: string, right: string): boolean {
  const a = left.charCodeAt(0);
  const b = right.charCodeAt(0);
  return a !== b && a < 0xd800 && b < 0xd800 ? a > b : compareText(left, right) > 0;
}
