import { expect } from 'vitest';

/** Matches a text by a pattern inside `toMatchObject`; vitest's own matcher is `any`. */
export function matching(pattern: RegExp): unknown {
  return expect.stringMatching(pattern);
}

/** Matches every text. */
export const anyText: unknown = expect.any(String);
