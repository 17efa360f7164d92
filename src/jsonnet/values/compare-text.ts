/** Order of two strings by code point, which is not the order of UTF-16 units: negative, 0 or positive. */
export function compareText(left: string, right: string): number {
  if (left === right) return 0;
  const length = Math.min(left.length, right.length);
  for (let index = length > chunk ? commonChunks(left, right) : 0; index < length; index++) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

/** What long texts have in common is compared by so many characters, which the engine does far quicker than one by one. */
const chunk = 1024;

/** Length of the chunks that both texts begin with. */
function commonChunks(left: string, right: string): number {
  let index = 0;
  while (index < left.length && left.slice(index, index + chunk) === right.slice(index, index + chunk)) index += chunk;
  return index;
}

/** Half of a pair stands for a code point above all others. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}
