import type { Evaluation } from '../../jsonnet/evaluation.ts';
import type { Native } from '../../jsonnet/native.ts';
import type { Value } from '../../jsonnet/values/value.ts';
import { shortened } from '../../core/shortened.ts';
import { formatTime, parseTimeFormat, type TimeFormat } from '../time-format.ts';
import { utcDate } from '../utc-text.ts';
import { eventOf } from './event-of.ts';
import { textArgument } from './text-argument.ts';
import type { MappedEvent } from '../mapped-event.ts';

/** ISO 8601 with milliseconds, as a `datetime` column has it. */
const isoFormat = '%Y-%m-%dT%H:%M:%S.%fZ';

/** `Now()`, `Now(format)`: the arrival of the event, in UTC. */
export const now: Native = {
  parameters: ['format?'],
  run: ([given], context, evaluation) => {
    const text =
      given === undefined ? isoFormat : textArgument(given, { call: 'Now', parameter: 'format' }, evaluation);
    evaluation.scan(text.length);
    return write(text, parseTimeFormat(text), { event: eventOf(context), evaluation });
  },
  specialize: ([given = isoFormat]) => {
    if (typeof given !== 'string') return undefined;
    const format = parseTimeFormat(given);
    return (context, evaluation) => write(given, format, { event: eventOf(context), evaluation });
  },
};

interface At {
  readonly event: MappedEvent;
  readonly evaluation: Evaluation;
}

function write(text: string, format: TimeFormat, { event, evaluation }: At): Value {
  if (format.kind === 'invalid') {
    throw evaluation.error(`datetime format "${shortened(text, 200)}" is invalid: ${format.rule}`);
  }
  const date = utcDate(event.arrivedAt);
  if (date === undefined) {
    throw evaluation.error(`the timestamp ${event.arrivedAt} of the record is outside of the years 0000 to 9999`);
  }
  // The longest code writes 24 characters for two.
  evaluation.text(text.length * 12);
  return formatTime(format, date);
}
