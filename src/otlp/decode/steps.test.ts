import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { recorded } from '../../../test/support/otlp-recorder.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { Flattener } from '../flatten/flattener.ts';
import { readJson } from './json-request.ts';
import { readProtobuf } from './protobuf-request.ts';

function stepsOf(body: Uint8Array): number {
  let steps = 0;
  for (const step of readProtobuf(body, 'logs', new Flattener(() => undefined))) {
    expect(step).toBe(undefined);
    steps += 1;
  }
  return steps;
}

test('D8: resources without content are read in turns, and no more of them than parts are allowed', () => {
  const empty = Buffer.from([0x0a, 0x00]);
  expect(stepsOf(Buffer.alloc(2 * otlpLimits.partsPerRequest, empty))).toBeGreaterThan(100);
  expect(() => stepsOf(Buffer.alloc(2 * (otlpLimits.partsPerRequest + 1), empty))).toThrow(OtlpFault);
});

const size = 4 * 1024 ** 2;

function many(json: string): string {
  return Array<string>(Math.ceil(size / (json.length + 1)))
    .fill(json)
    .join();
}

function inRecord(json: string): string {
  return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${json}]}]}]}`;
}

function nested(levels: number, json: string): string {
  return levels === 0 ? json : nested(levels - 1, `{"arrayValue":{"values":[${json}]}}`);
}

const long = `{"key":"k","value":{"stringValue":"${'x'.repeat(400)}"}}`;

describe('D8: some megabytes of JSON are parsed in turns of at most half of one', () => {
  test.each([
    ['one text', inRecord(`{"body":{"stringValue":"${'x'.repeat(size)}"}}`)],
    ['one text of escapes', inRecord(`{"body":{"stringValue":"${'\\u0041'.repeat(size / 6)}"}}`)],
    ['one record of many attributes', inRecord(`{"attributes":[${many(long)}]}`)],
    [
      'one list of many numbers',
      inRecord(`{"body":${nested(1, many(`{"intValue":12345678901234567,"x":"${'x'.repeat(60)}"}`))}}`),
    ],
    ['one value deep in others', inRecord(`{"body":${nested(40, `{"stringValue":"${'x'.repeat(size)}"}`)}}`)],
    ['records of some kilobytes', inRecord(many(`{"body":{"stringValue":"${'x'.repeat(100_000)}"}}`))],
    ['one resource', `{"resourceLogs":[{"resource":{"attributes":[${many(long)}]}}]}`],
    ['fields that nobody knows', `{"a":[${many('1')}],"b":{${many(`"c":[${'1,'.repeat(50_000)}1]`)}}}`],
  ])('%s', (_, text) => {
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    let most = 0;
    for (const step of readJson(Buffer.from(text), 'logs', new Flattener(() => undefined))) {
      expect(step).toBe(undefined);
      most = Math.max(most, parsedCharacters());
    }
    expect(Math.max(most, parsedCharacters())).toBeLessThan(512 * 1024);
    expect(most).toBeGreaterThan(0);

    function parsedCharacters(): number {
      const { calls } = parse.mock;
      return calls.splice(0).reduce((sum, [parsed]) => sum + parsed.length, 0);
    }
  });
});

test('A19: a large text is the same wherever it is cut to be read in turns', () => {
  const parts = ['x', 'é', '€', '🙂', '\\n', '\\"', '\\\\', '\\u00e9', '\\ud83d\\ude42', 'u0041'];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { minLength: 1, maxLength: 12 }), fc.nat(20), (some, shift) => {
      const json = `"${'x'.repeat(shift)}${some.join('').repeat(200_000 / some.length)}"`;
      const body = Buffer.from(inRecord(`{"body":{"stringValue":${json}}}`));
      const told = recorded((visitor) => readJson(body, 'logs', visitor)) as readonly (readonly unknown[])[];
      const [, log] = told.at(-1) as readonly [string, { readonly body: { readonly string_value: string } }];
      expect(log.body.string_value === JSON.parse(json)).toBe(true);
    }),
    { numRuns: 30 },
  );
});
