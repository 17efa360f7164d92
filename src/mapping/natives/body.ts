import { Buffer } from 'node:buffer';
import { shortened } from '../../core/shortened.ts';
import type { Evaluation } from '../../jsonnet/evaluation.ts';
import type { Native } from '../../jsonnet/native.ts';
import type { Value } from '../../jsonnet/values/value.ts';
import type { FormValue } from '../form-tree.ts';
import { formJsonValue } from '../form-json-value.ts';
import { formValueAt } from '../form-value.ts';
import { isJsonObject, type JsonValue } from '../json-value.ts';
import type { MappedEvent } from '../mapped-event.ts';
import { parsePath, type PathStep } from '../path.ts';
import { notUtf8, unsupportedType } from '../refusals.ts';
import { readySteps, valueAt, type ReadyStep } from '../value-at.ts';
import { eventOf } from './event-of.ts';
import { notText, textArgument } from './text-argument.ts';

/** A path ready for many events; a fault in one that is computed is told when it is used, as every failure of a call. */
interface BodyPath {
  readonly text: string;
  readonly steps: readonly PathStep[];
  readonly ready: readonly ReadyStep[];
  /** Undefined for a path that is one. */
  readonly fault: string | undefined;
}

function bodyPath(text: string): BodyPath {
  const parsed = parsePath(text);
  if (parsed.kind === 'path') return { text, steps: parsed.steps, ready: readySteps(parsed.steps), fault: undefined };
  const fault = `invalid path "${shortened(text, 200)}" at position ${parsed.position}: ${parsed.rule}`;
  return { text, steps: [], ready: [], fault };
}

const pathParameter = { call: 'Body', parameter: 'path' };

/** `Body()`, `Body(path)`, `Body(path, default)`: the body, an object, or what is in it. */
export const body: Native = {
  parameters: ['path?', 'default?'],
  refusal: ([path]) => (typeof path === 'string' ? bodyPath(path).fault : notText(path, pathParameter)),
  run: ([path, fallback], context, evaluation) => {
    const text = textArgument(path, pathParameter, evaluation);
    evaluation.steps(text.length);
    return read(bodyPath(text), { event: eventOf(context), fallback }, evaluation);
  },
  specialize: ([path, fallback]) => {
    if (path !== undefined && typeof path !== 'string') return undefined;
    const ready = bodyPath(path ?? '');
    return (context, evaluation) => read(ready, { event: eventOf(context), fallback }, evaluation);
  },
};

/** `BodyStr()`: the body as it came. */
export const bodyStr: Native = {
  parameters: [],
  run: (_args, context, evaluation) => {
    const event = eventOf(context);
    evaluation.text(event.body.length);
    if (!event.isBodyUtf8) throw evaluation.error(`the body is no text: ${notUtf8}`);
    return Buffer.from(event.body.buffer, event.body.byteOffset, event.body.byteLength).toString();
  },
};

interface Reading {
  readonly event: MappedEvent;
  /** The default is for a path that does not exist; anything else that is wrong with the body stays an error. */
  readonly fallback: Value | undefined;
}

function read(path: BodyPath, { event, fallback }: Reading, evaluation: Evaluation): Value {
  if (path.fault !== undefined) throw evaluation.error(path.fault);
  const found = find(event, path, evaluation);
  // What is there may be null, and is no reason for the default.
  const value = found === undefined ? fallback : found;
  if (value === undefined) {
    throw evaluation.error(`path "${shortened(path.text, 200)}" not found in the body, which was ${event.howRead}`);
  }
  return value;
}

function find(event: MappedEvent, path: BodyPath, evaluation: Evaluation): JsonValue | undefined {
  const { format } = event;
  switch (format.kind) {
    case 'json':
      return findJson(event, path, evaluation);
    case 'form':
    case 'multipart':
      return findForm(event, path, evaluation);
    case 'unsupported':
      throw evaluation.error(`cannot parse request body:\n- ${unsupportedType(format.contentType)}`);
    default:
      return format satisfies never;
  }
}

function findJson(event: MappedEvent, { ready }: BodyPath, evaluation: Evaluation): JsonValue | undefined {
  const { json } = event;
  if (json.kind === 'fault') throw evaluation.error(`${json.message}; the body was ${event.howRead}`);
  const { value } = json;
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? 'an array' : 'a single value';
    const rule = `it must be an object, but is ${found} (see BodyStr)`;
    throw evaluation.error(`cannot parse request json: ${rule}; the body was ${event.howRead}`);
  }
  return valueAt(value, ready);
}

function findForm(event: MappedEvent, { steps }: BodyPath, evaluation: Evaluation): JsonValue | undefined {
  const { form } = event;
  if (form.kind === 'invalid') {
    throw evaluation.error(`cannot parse request form: ${form.message}; the body was ${event.howRead}`);
  }
  const found = formValueAt(form.root, steps);
  if (found === undefined) return undefined;
  const value = formJson(found);
  if (value === undefined) throw evaluation.error(`cannot parse request form: the value is no text: ${notUtf8}`);
  return value;
}

/** What was made of the parts of a form: templates of all columns and sinks share it, as they share a JSON body. */
const formJsons = new WeakMap<object, JsonValue | undefined>();

function formJson(value: FormValue): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return formJsonValue(value);
  if (!formJsons.has(value)) formJsons.set(value, formJsonValue(value));
  return formJsons.get(value);
}
