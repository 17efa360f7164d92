import type { Incarnation } from '../../core/ids.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';
import { takeIncarnation } from '../store/counter.ts';
import { randomText } from '../store/random-text.ts';

export type TakeUnusedIncarnationParts = Pick<Parts, 'catalog' | 'holdings' | 'random' | 'telemetry'>;

/**
 * An incarnation under whose number no store holds anything. After a restore from an older copy the catalog hands out
 * numbers again under which its later state has left outcomes, slices and a ledger row. A sink with such a number would
 * take them for its own.
 */
export async function takeUnusedIncarnation(
  { catalog, random, holdings, telemetry }: TakeUnusedIncarnationParts,
  options: Waiting,
): Promise<Incarnation> {
  for (;;) {
    const incarnation = await takeIncarnation(catalog, randomText(random, 16), options);
    if (!(await holdings.holds(incarnation, options))) return incarnation;
    telemetry.log.warn({ incarnation }, 'incarnation passed over, a store holds something of it');
  }
}
