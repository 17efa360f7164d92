import { Buffer } from 'node:buffer';
import { shortened } from '../../core/shortened.ts';
import type { Evaluation } from '../../jsonnet/evaluation.ts';
import type { Native } from '../../jsonnet/native.ts';
import type { Value } from '../../jsonnet/values/value.ts';
import { formJsonValue } from '../form-json-value.ts';
import { formValueAt } from '../form-value.ts';
import { isJsonObject, type JsonValue } from '../json-value.ts';
import type { MappedEvent } from '../mapped-event.ts';
import { parsePath, type PathResult, type PathStep } from '../path.ts';
import { notUtf8 } from '../refusals.ts';
import { valueAt } from '../value-at.ts';
import { eventOf } from './event-of.ts';
import { textArgument } from './text-argument.ts';

/** A path ready for many events; a fault in it is told when it is used, as every failure of a call. */
interface BodyPath {
  readonly text: string;
  readonly parsed: PathResult;
}

/** `Body()`, `Body(path)`, `Body(path, default)`: the body, an object, or what is in it. */
export const body: Native = {
  parameters: ['path?', 'default?'],
  run: ([path, fallback], context, evaluation) => {
    const text = textArgument(path, { call: 'Body', parameter: 'path' }, evaluation);
    return read({ text, parsed: parsePath(text) }, { event: eventOf(context), fallback }, evaluation);
  },
  specialize: ([path, fallback]) => {
    if (path !== undefined && typeof path !== 'string') return undefined;
    const ready = { text: path ?? '', parsed: parsePath(path ?? '') };
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
  /** Of a path that does not exist; anything else that is wrong with the body stays an error. */
  readonly fallback: Value | undefined;
}

function read({ text, parsed }: BodyPath, { event, fallback }: Reading, evaluation: Evaluation): Value {
  if (parsed.kind === 'invalid') {
    const shown = shortened(text, 200);
    throw evaluation.error(`invalid path "${shown}" at position ${parsed.position}: ${parsed.rule}`);
  }
  const found = find(event, parsed.steps, evaluation);
  // What is there may be null, and is no reason for the default.
  const value = found === undefined ? fallback : found;
  if (value === undefined) throw evaluation.error(`path "${shortened(text, 200)}" not found in the body`);
  return value;
}

function find(event: MappedEvent, steps: readonly PathStep[], evaluation: Evaluation): JsonValue | undefined {
  const { format } = event;
  switch (format.kind) {
    case 'json':
      return findJson(event, steps, evaluation);
    case 'form':
      return findForm(event, steps, evaluation);
    case 'unsupported':
      throw evaluation.error(
        `cannot parse request body:\n- unsupported content type "${shortened(format.contentType, 200)}", supported types: application/json and application/x-www-form-urlencoded`,
      );
    default:
      return format satisfies never;
  }
}

function findJson(event: MappedEvent, steps: readonly PathStep[], evaluation: Evaluation): JsonValue | undefined {
  const { json } = event;
  if (json.kind === 'fault') throw evaluation.error(json.message);
  const { value } = json;
  if (!isJsonObject(value)) {
    const found = Array.isArray(value) ? 'an array' : 'a single value';
    throw evaluation.error(`cannot parse request json: it must be an object, but is ${found} (see BodyStr)`);
  }
  return valueAt(value, steps);
}

function findForm({ form }: MappedEvent, steps: readonly PathStep[], evaluation: Evaluation): JsonValue | undefined {
  if (form.kind === 'invalid') throw evaluation.error(`cannot parse request form: ${form.message}`);
  const found = formValueAt(form.root, steps);
  if (found === undefined) return undefined;
  const value = formJsonValue(found);
  if (value === undefined) throw evaluation.error(`cannot parse request form: the value is no text: ${notUtf8}`);
  return value;
}
