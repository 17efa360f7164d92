import { MillraceError } from '../../core/millrace-error.ts';
import type { EvaluationContext } from '../../jsonnet/native.ts';
import { MappedEvent } from '../mapped-event.ts';

/** The event that a template is evaluated for. */
export function eventOf(context: EvaluationContext): MappedEvent {
  if (context instanceof MappedEvent) return context;
  throw new MillraceError('internal.bug', 'a template of a mapping was evaluated without an event');
}
