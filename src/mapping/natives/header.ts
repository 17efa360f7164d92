import type { Evaluation } from '../../jsonnet/evaluation.ts';
import type { Native } from '../../jsonnet/native.ts';
import type { Value } from '../../jsonnet/values/value.ts';
import { shortened } from '../../core/shortened.ts';
import { canonicalHeaderName } from '../canonical-headers.ts';
import { headerValue } from '../header-value.ts';
import type { MappedEvent } from '../mapped-event.ts';
import { eventOf } from './event-of.ts';
import { notText, textArgument } from './text-argument.ts';

const nameParameter = { call: 'Header', parameter: 'name' };

/** `Header()`: all headers as an object; `Header(name)`, `Header(name, default)`: the value of one. */
export const header: Native = {
  parameters: ['name|header?', 'default?'],
  refusal: ([name]) => notText(name, nameParameter),
  run: ([name, fallback], context, evaluation) => {
    const wanted = textArgument(name, nameParameter, evaluation);
    evaluation.text(wanted.length);
    return read(wanted.toLowerCase(), { event: eventOf(context), fallback }, evaluation);
  },
  specialize: ([name, fallback]) => {
    if (name !== undefined && typeof name !== 'string') return undefined;
    const wanted = (name ?? '').toLowerCase();
    return (context, evaluation) => read(wanted, { event: eventOf(context), fallback }, evaluation);
  },
};

/** `HeaderStr()`: a line `Name: value` for each header, in alphabetical order. */
export const headerStr: Native = {
  parameters: [],
  run: (_args, context, evaluation) => {
    const event = eventOf(context);
    charge(event, evaluation);
    const lines = Object.entries(event.canonicalHeaders).map(([name, value]) => `${name}: ${value}\n`);
    return lines.sort().join('');
  },
};

interface Reading {
  readonly event: MappedEvent;
  readonly fallback: Value | undefined;
}

/** `name` is in small letters. */
function read(name: string, { event, fallback }: Reading, evaluation: Evaluation): Value {
  if (name === '') {
    charge(event, evaluation);
    return event.canonicalHeaders;
  }
  evaluation.steps(event.headers.length >> 3);
  const value = headerValue(event.headers, name) ?? fallback;
  if (value !== undefined) return value;
  throw evaluation.error(`header "${shortened(canonicalHeaderName(name), 200)}" not found`);
}

/** A producer's record may have more headers than a template may hold. */
function charge({ headers, headerLength }: MappedEvent, evaluation: Evaluation): void {
  evaluation.array(headers.length);
  evaluation.text(headerLength + 2 * headers.length);
}
