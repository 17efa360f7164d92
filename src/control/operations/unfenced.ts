import type { Parts } from '../parts.ts';

/**
 * The parts for taking back what only the caller knows of: what it made under a number of its own, and what it made
 * visible, as long as nobody has changed it. The process that made it takes it back, even if it has lost the seat.
 */
export function unfenced<Given extends Pick<Parts, 'catalog' | 'ownCatalog'>>(parts: Given): Given {
  return { ...parts, catalog: parts.ownCatalog };
}
