import type { DeadLetterFilter } from '../core/dead-letter.ts';
import { utcText } from './utc-text.ts';

/** What holds for the cells of dead letters that a filter takes. */
export function filteredLetters({ reason, column, eventId, since, until }: DeadLetterFilter) {
  const cell = (name: string, value: string | undefined) => (value === undefined ? [] : [{ column: name, value }]);
  return [
    ...cell('reason', reason),
    ...cell('column', column),
    ...cell('event_id', eventId),
    ...(since === undefined ? [] : [{ column: 'arrived_at', from: utcText(since) }]),
    ...(until === undefined ? [] : [{ column: 'arrived_at', before: utcText(until) }]),
  ];
}
