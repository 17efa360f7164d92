import { MillraceError } from '../../../core/millrace-error.ts';
import type { Mapping } from '../../../core/mapping.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { TimeWindow } from './log-ranges.ts';
import { idOf, type RecordEvents } from './record-events.ts';
import type { FoundEvent, Match } from './search-log.ts';
import type { TraceParts } from './trace-session.ts';

/** Events with this id, in either letter case. */
export function matchId(id: string): Match {
  const wanted = id.toLowerCase();
  return (records) =>
    records.flatMap((of) =>
      each(of).filter(({ item }) => {
        const event = of.events[item];
        return event !== undefined && idOf(event).toLowerCase() === wanted;
      }),
    );
}

/** Events that arrived in the window: the log finds it by times that ascend, and those of producers need not. */
export function matchTime({ since = Number.NEGATIVE_INFINITY, until = Number.POSITIVE_INFINITY }: TimeWindow): Match {
  return (records) => records.filter(({ arrivedAt }) => since <= arrivedAt && arrivedAt < until).flatMap(each);
}

interface CellMeant {
  readonly mapping: Mapping;
  readonly column: string;
  readonly value: string;
}

/** Events of which a mapping makes this text in a column, whatever becomes of the other columns. */
export function matchCell({ trials }: Pick<TraceParts, 'trials'>, meant: CellMeant, options: Waiting): Match {
  const { mapping, column, value } = meant;
  return async (records) => {
    if (records.some(({ isDecoded }) => isDecoded))
      throw new MillraceError(
        'input.unsupported',
        'events of this source are decoded by schemas of a registry, so they cannot be found by a column; look for the row in the table, and trace the id that it has',
      );
    if (records.length === 0) return [];
    const outcomes = await trials.outcomes({ mapping, column, records: records.map(({ events }) => events) }, options);
    return records.flatMap((of, index) =>
      each(of).filter(({ item }) => {
        const outcome = outcomes[index]?.[item];
        return outcome?.kind === 'row' && outcome.cell === value;
      }),
    );
  };
}

function each(of: RecordEvents): readonly FoundEvent[] {
  return of.events.map((_, item) => ({ of, item }));
}
