import type { Incarnation } from '../core/ids.ts';
import type { Catalog } from '../ports/catalog.ts';
import type { Waiting } from '../ports/waiting.ts';
import { incarnationCounter, lastIncarnation } from './counter-document.ts';

/**
 * The highest incarnation that this catalog has handed out. What belongs to a higher one is of another catalog, or of a later state of
 * this one.
 */
export async function lastHandedOut(catalog: Catalog, options: Waiting): Promise<Incarnation> {
  return lastIncarnation((await catalog.get('meta', incarnationCounter, options))?.value);
}
