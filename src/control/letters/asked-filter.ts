import type { DeadLetterFilter } from '../../core/dead-letter.ts';
import type { Incarnation } from '../../core/ids.ts';
import { importedStatistics } from '../../core/progress/statistics.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Parts } from '../parts.ts';

/**
 * The filter of a replay that is asked for now: it ends, whatever comes meanwhile. Now is the time of the wall clock, or
 * of the last arrival that is in a table where that lies ahead: a clock that was set back, or one of a producer, hides
 * no letter.
 */
export async function askedFilter(
  { clock, definitions }: Pick<Parts, 'clock' | 'definitions'>,
  { incarnation, filter }: { readonly incarnation: Incarnation; readonly filter: DeadLetterFilter },
  options: Waiting,
): Promise<DeadLetterFilter> {
  const progress = await definitions.progress(incarnation, options);
  const { lastArrival = 0 } = progress === undefined ? {} : importedStatistics(progress);
  const end = Math.max(clock.now(), lastArrival + 1);
  return { ...filter, until: Math.min(filter.until ?? end, end) };
}
