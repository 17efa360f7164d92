import type { Incarnation } from '../../core/ids.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { takeIncarnation } from '../store/counter.ts';
import { randomText } from '../store/random-text.ts';

/**
 * An incarnation of which no store holds anything. After a restore from an older copy the catalog hands out numbers again under which
 * its later state has left outcomes, slices and a ledger row: whoever took those would take them for its own.
 */
export async function takeUnusedIncarnation(
  { catalog, random, holdings, telemetry }: AdminContext,
  options: Waiting,
): Promise<Incarnation> {
  for (;;) {
    const incarnation = await takeIncarnation(catalog, randomText(random, 16), options);
    if (!(await holdings.holds(incarnation, options))) return incarnation;
    telemetry.log.warn({ incarnation }, 'incarnation passed over, a store holds something of it');
  }
}
