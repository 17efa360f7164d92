import type { Mapping } from './mapping.ts';

/**
 * The versions of the mappings that rows of an incarnation may be of, the one in use first: each names the one that it follows. `all` may
 * have others that were never used.
 */
export function usedVersions(all: Iterable<Pick<Mapping, 'version' | 'follows'>>, inUse: number): readonly number[] {
  const follows = new Map([...all].map((one) => [one.version, one.follows]));
  const used: number[] = [];
  // An earlier release of the product did not write it down, and gave one number after the other.
  for (let version = inUse; version >= 1; version = follows.get(version) ?? version - 1) used.push(version);
  return used;
}
