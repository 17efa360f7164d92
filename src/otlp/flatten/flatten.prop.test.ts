import * as fc from 'fast-check';
import protobuf from 'protobufjs';
import { expect, test } from 'vitest';
import { anyOtlp } from '../../../test/support/any-otlp.ts';
import { requestTypes } from '../../../test/support/otlp-definitions.ts';
import { requestBytes, type Plain } from '../../../test/support/otlp-messages.ts';
import { referenceTexts } from '../../../test/support/otlp-reference.ts';
import { signals } from '../../core/event.ts';
import { readProtobuf } from '../decode/protobuf-request.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { Flattener } from './flattener.ts';

function texts(signal: (typeof signals)[number], body: Uint8Array): readonly string[] {
  const taken: string[] = [];
  for (const step of readProtobuf(body, signal, new Flattener((text) => taken.push(String(text)))))
    expect(step).toBe(undefined);
  return taken;
}

test.each(signals)('A19, A52: %s are valid JSON, as a slow flattening by another decoder has them', (signal) => {
  fc.assert(
    fc.property(anyOtlp[signal], (request) => {
      const body = requestBytes(signal, request);
      const found = texts(signal, body);
      for (const text of found) JSON.parse(text);
      expect(found).toEqual(referenceTexts(signal, body));
    }),
    { numRuns: 300 },
  );
});

/** Of a type and those below it: all fields, or those that a message has. */
function fieldsOf(type: protobuf.Type, message: Plain | undefined, found = new Set<string>()): ReadonlySet<string> {
  for (const { name, resolvedType } of type.fieldsArray) {
    if (message !== undefined && message[name] === undefined) continue;
    const isKnown = found.has(`${type.name}.${name}`);
    found.add(`${type.name}.${name}`);
    if (!(resolvedType instanceof protobuf.Type)) continue;
    if (message === undefined) {
      if (!isKnown) fieldsOf(resolvedType, undefined, found);
    } else for (const part of [message[name]].flat()) fieldsOf(resolvedType, part as Plain, found);
  }
  return found;
}

/** Indexes into a table that only profiles have. */
const ofProfiles = ['AnyValue.stringValueStrindex', 'KeyValue.keyStrindex'];

test.each(signals)('A19: %s that are tried have every field of the definitions', (signal) => {
  const type = requestTypes[signal];
  const tried = new Set<string>(ofProfiles);
  for (const request of fc.sample(anyOtlp[signal], { numRuns: 1000, seed: 19 }))
    for (const field of fieldsOf(type, type.toObject(type.decode(requestBytes(signal, request))))) tried.add(field);
  expect([...fieldsOf(type, undefined)].filter((field) => !tried.has(field))).toEqual([]);
});

test.each(signals)('D8: %s that are cut, or have a byte changed, are records or a fault with a sentence', (signal) => {
  const damage = fc.record({ at: fc.nat(), byte: fc.nat(255), cut: fc.boolean() });
  fc.assert(
    fc.property(anyOtlp[signal], damage, (request, { at, byte, cut }) => {
      const whole = requestBytes(signal, request);
      const place = whole.length === 0 ? 0 : at % whole.length;
      const body = Buffer.from(cut ? whole.subarray(0, place) : whole);
      if (!cut && body.length > 0) body[place] = byte;
      for (const text of textsOrNone(signal, body)) JSON.parse(text);
    }),
    { numRuns: 300 },
  );
});

/** Throws what is no fault of the body. */
function textsOrNone(signal: (typeof signals)[number], body: Uint8Array): readonly string[] {
  try {
    return texts(signal, body);
  } catch (error) {
    if (error instanceof OtlpFault) return [];
    throw error;
  }
}
