import type { Builtin } from './builtin.ts';

/** Text as bytes, base64 and escaped for other languages. */
export const encodings: readonly Builtin[] = [];
