const units: readonly (readonly [string, number])[] = [
  ['EB', 1024 ** 6],
  ['PB', 1024 ** 5],
  ['TB', 1024 ** 4],
  ['GB', 1024 ** 3],
  ['MB', 1024 ** 2],
  ['KB', 1024],
];

/** `KB` is 1024 bytes; a capital letter before a small b means bits to many readers and is no size. */
const pattern = /^(\d+) ?(?:([kmgtpe])b?|b)?$/i;
const bits = /[KMGTPE]b$/;

/** Reads `100B`, `256KB`, `16kB`, `5MB`, `5m` or `1024` as bytes; undefined for anything else and past 2^53. */
export function parseByteSize(text: string): number | undefined {
  const trimmed = text.trim();
  const match = bits.test(trimmed) ? null : pattern.exec(trimmed);
  if (match === null) return undefined;
  const [, digits = '', letter = ''] = match;
  const factor = units.find(([name]) => name.startsWith(letter.toUpperCase()) && letter !== '')?.[1] ?? 1;
  const bytes = Number(digits) * factor;
  return Number.isSafeInteger(bytes) ? bytes : undefined;
}

/** The text with the largest unit that leaves no fraction: `256KB`, `100B`, `1025B`. */
export function formatByteSize(bytes: number): string {
  const unit = bytes === 0 ? undefined : units.find(([, factor]) => bytes % factor === 0);
  return unit === undefined ? `${bytes}B` : `${bytes / unit[1]}${unit[0]}`;
}
