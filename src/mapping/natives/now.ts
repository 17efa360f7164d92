import type { Evaluation } from '../../jsonnet/evaluation.ts';
import type { Native } from '../../jsonnet/native.ts';
import type { Value } from '../../jsonnet/values/value.ts';
import { shortened } from '../../core/shortened.ts';
import { formatTime, parseTimeFormat, type TimeFormat } from '../time-format.ts';
import { utcDate } from '../utc-text.ts';
import { eventOf } from './event-of.ts';
import { notText, textArgument } from './text-argument.ts';
import type { MappedEvent } from '../mapped-event.ts';

/** ISO 8601 with milliseconds, as a `datetime` column has it. */
const isoFormat = '%Y-%m-%dT%H:%M:%S.%fZ';

const formatParameter = { call: 'Now', parameter: 'format' };

/** `Now()`, `Now(format)`: the arrival of the event, in UTC. */
export const now: Native = {
  parameters: ['format?'],
  refusal: ([given]) => (typeof given === 'string' ? faultOf(given) : notText(given, formatParameter)),
  run: ([given], context, evaluation) => {
    const text = given === undefined ? isoFormat : textArgument(given, formatParameter, evaluation);
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
  if (format.kind === 'invalid') throw evaluation.error(invalidFormat(text, format.rule));
  const date = utcDate(event.arrivedAt);
  if (date === undefined) {
    throw evaluation.error(`the timestamp ${event.arrivedAt} of the record is outside of the years 0000 to 9999`);
  }
  // The longest code writes 24 characters for two.
  evaluation.text(text.length * 12);
  return formatTime(format, date);
}

function faultOf(text: string): string | undefined {
  const format = parseTimeFormat(text);
  return format.kind === 'invalid' ? invalidFormat(text, format.rule) : undefined;
}

function invalidFormat(text: string, rule: string): string {
  return `datetime format "${shortened(text, 200)}" is invalid: ${rule}`;
}
