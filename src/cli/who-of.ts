import type { StampShape } from './api-shapes.ts';

/** Who did it, as a person knows them: the description of the token, or its id. */
export function whoOf({ type, tokenId, tokenDesc }: StampShape['by']): string {
  return tokenDesc === undefined || tokenDesc === '' ? (tokenId ?? type) : tokenDesc;
}
