import { describe, expect, test } from 'vitest';
import type { Signal } from '../../core/event.ts';
import { recorded } from '../../../test/support/otlp-recorder.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { readJson } from './json-request.ts';

function read(json: unknown, signal: Signal = 'logs'): readonly unknown[] {
  const body = typeof json === 'string' ? Buffer.from(json) : Buffer.from(JSON.stringify(json));
  return recorded((visitor) => readJson(body, signal, visitor));
}

function faultOf(json: unknown, signal: Signal = 'logs'): string {
  try {
    read(json, signal);
  } catch (error) {
    if (error instanceof OtlpFault) return error.message;
    throw error;
  }
  throw new Error('It was read.');
}

function logs(...logRecords: readonly unknown[]): object {
  return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}

function log(record: unknown): unknown {
  return (read(logs(record)).at(-1) as readonly unknown[])[1];
}

function value(any: unknown): unknown {
  return (log({ body: any }) as { body: unknown }).body;
}

function points(metric: object): object {
  return { resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'm', ...metric }] }] }] };
}

/** A text in which a number stands as it is written. */
function logText(field: string, written: string): string {
  return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"${field}":${written}}]}]}]}`;
}

const place = 'resourceLogs[0].scopeLogs[0].logRecords[0]';

describe('what OTLP JSON allows', () => {
  test('an empty object is an empty request, and other signals are unknown fields', () => {
    expect(read({})).toEqual([]);
    expect(read({ resourceSpans: [{}], resourceLogs: null, more: { a: [1] } })).toEqual([]);
  });

  test('null is absent, and a field that nobody knows is left out', () => {
    expect(log({ body: null, timeUnixNano: null, attributes: null, more: [{}], __proto__: 1 })).toEqual(log({}));
    expect(log({})).toMatchObject({ time_unix_nano: 0, body: undefined, attributes: [], trace_id: undefined });
  });

  test('names of the definitions are read, too', () => {
    const body = { resource_logs: [{ schema_url: 'r', scope_logs: [{ log_records: [{ severity_text: 'x' }] }] }] };
    expect(read(body)).toMatchObject([
      ['resource', undefined, 'r'],
      ['scope', undefined, ''],
      ['log', { severity_text: 'x' }],
    ]);
    expect(faultOf({ resourceLogs: [], resource_logs: [] })).toBe(
      'The body: "resourceLogs" and "resource_logs" are the same field.',
    );
    expect(faultOf(logs({ severityText: 'a', severity_text: 'b' }))).toContain(
      `${place}.severity_text: it is there twice`,
    );
  });

  test('what a record belongs to may stand behind it', () => {
    const resource = { attributes: [{ key: 'a', value: { intValue: 1 } }] };
    const told = read({ resourceLogs: [{ scopeLogs: [{ logRecords: [{}], scope: { name: 's' } }], resource }] });
    expect(told.map((call) => (call as unknown[])[0])).toEqual(['resource', 'scope', 'log']);
    expect(told).toMatchObject([['resource', { attributes: [{ key: 'a' }] }, ''], ['scope', { name: 's' }, ''], {}]);
  });

  test.each([
    ['18446744073709551615', 18446744073709551615n],
    ['"18446744073709551615"', 18446744073709551615n],
    ['9007199254740993', 9007199254740993n],
    ['123456789012345e5', 12345678901234500000n],
    ['1.8446744073709551615e19', 18446744073709551615n],
    ['12345678901234567.0', 12345678901234567n],
    ['1e3', 1000],
    ['-0', 0],
    ['"1700000000"', 1700000000],
  ])('an integer of 64 bits loses no digit: %s', (written, expected) => {
    const text = logText('timeUnixNano', written);
    expect(read(text).at(-1)).toMatchObject(['log', { time_unix_nano: expected }]);
  });

  test('an escaped key beside a long integer keeps its name', () => {
    const text = String.raw`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"\u0066lags":7,"timeUnixNano":9007199254740993}]}]}]}`;
    expect(read(text).at(-1)).toMatchObject(['log', { flags: 7, time_unix_nano: 9007199254740993n }]);
  });

  test.each([
    [{ stringValue: '' }, 'string_value', ''],
    [{ boolValue: false }, 'bool_value', false],
    [{ intValue: '-9223372036854775808' }, 'int_value', -9223372036854775808n],
    [{ intValue: 5 }, 'int_value', 5],
    [{ doubleValue: 'NaN' }, 'double_value', Number.NaN],
    [{ doubleValue: 'Infinity' }, 'double_value', Number.POSITIVE_INFINITY],
    [{ doubleValue: '-Infinity' }, 'double_value', Number.NEGATIVE_INFINITY],
    [{ doubleValue: '1.5e3' }, 'double_value', 1500],
    [{ doubleValue: 2 ** 60 }, 'double_value', 2 ** 60],
    [{ bytesValue: '+/8=' }, 'bytes_value', { hex: 'fbff' }],
    [{ bytesValue: '-_8' }, 'bytes_value', { hex: 'fbff' }],
    [{ bytesValue: '' }, 'bytes_value', { hex: '' }],
    [{ arrayValue: {} }, 'array_value', { values: [] }],
    [
      { kvlistValue: { values: [{ key: 'a' }] } },
      'kvlist_value',
      { values: [{ key: 'a', value: undefined, key_strindex: 0 }] },
    ],
    [{ stringValueStrindex: 3 }, 'string_value_strindex', 3],
    [{ stringValue: 'a', intValue: null }, 'string_value', 'a'],
  ])('a value of %j', (json, name, expected) => {
    expect(value(json)).toMatchObject({ value: name, [name]: expected });
  });

  test('ids are hexadecimal in any case, or empty', () => {
    expect(log({ traceId: '0af7651916CD43DD8448EB211C80319C', spanId: '' })).toMatchObject({
      trace_id: { hex: '0af7651916cd43dd8448eb211c80319c' },
      span_id: { hex: '' },
    });
  });

  test('an enum is a number, also one that nobody knows yet, or a name', () => {
    expect(log({ severityNumber: 'SEVERITY_NUMBER_ERROR' })).toMatchObject({ severity_number: 17 });
    expect(log({ severityNumber: 99 })).toMatchObject({ severity_number: 99 });
  });

  test('a point without a sum is none with the sum 0', () => {
    const [, , head, none, zero] = read(points({ histogram: { dataPoints: [{}, { sum: 0 }] } }), 'metrics');
    expect(head).toMatchObject(['metric', { type: 'histogram', temporality: 0, isMonotonic: undefined }]);
    expect(none).toMatchObject(['point', { point: { sum: 0, has_sum: undefined } }]);
    expect(zero).toMatchObject(['point', { point: { sum: 0, has_sum: 'sum' } }]);
  });

  test('a metric without data has no point, and one has one type', () => {
    expect(read(points({}), 'metrics')).toHaveLength(2);
    expect(faultOf(points({ sum: {}, gauge: {} }), 'metrics')).toBe(
      'resourceMetrics[0].scopeMetrics[0].metrics[0]: only one of "gauge" and "sum" may be set.',
    );
    expect(faultOf(points({ gauge: { dataPoints: [{ asInt: 1, asDouble: 2 }] } }), 'metrics')).toBe(
      'resourceMetrics[0].scopeMetrics[0].metrics[0].gauge.dataPoints[0].asDouble: only one of its kind may be set, and "as_int" is, too.',
    );
  });
});

describe('what is no request says where, what and why', () => {
  test.each([
    [
      { timeUnixNano: 'abc' },
      '.timeUnixNano: "abc" must be a whole number from 0 to 18446744073709551615, as a number or as text.',
    ],
    [{ timeUnixNano: -1 }, '.timeUnixNano: -1 must be a whole number from 0'],
    [{ timeUnixNano: '18446744073709551616' }, '.timeUnixNano: "18446744073709551616" must be'],
    [{ time_unix_nano: 1.5 }, '.time_unix_nano: 1.5 must be'],
    [{ flags: 2 ** 32 }, '.flags: 4294967296 must be a whole number from 0 to 4294967295.'],
    [{ droppedAttributesCount: '-1' }, '.droppedAttributesCount: "-1" must be'],
    [
      { severityNumber: 'LOUD' },
      '.severityNumber: "LOUD" must be a whole number of 32 bits, or a name of SeverityNumber.',
    ],
    [{ severityNumber: 2 ** 31 }, '.severityNumber: 2147483648 must be'],
    [{ severityText: 5 }, '.severityText: 5 must be a text.'],
    [{ traceId: 'abc' }, '.traceId: "abc" must be a trace id of 32 hexadecimal digits, or empty.'],
    [{ spanId: 'x'.repeat(16) }, '.spanId: "xxxxxxxxxxxxxxxx" must be a span id of 16 hexadecimal digits'],
    [{ attributes: {} }, '.attributes: an object must be an array.'],
    [{ attributes: [null] }, '.attributes[0]: null must be an object.'],
    [{ body: 'text' }, '.body: "text" must be an object.'],
    [{ body: [] }, '.body: an array must be an object.'],
    [{ body: { intValue: '9223372036854775808' } }, '.body.intValue: "9223372036854775808" must be'],
    [{ body: { boolValue: 'true' } }, '.body.boolValue: "true" must be true or false.'],
    [{ body: { doubleValue: '1e400' } }, '.body.doubleValue: "1e400" must be a number'],
    [{ body: { doubleValue: '0x10' } }, '.body.doubleValue: "0x10" must be a number'],
    [{ body: { bytesValue: 'a' } }, '.body.bytesValue: "a" must be bytes as base64.'],
    [{ body: { bytesValue: 'YWI==' } }, '.body.bytesValue: "YWI==" must be'],
    [
      { body: { stringValue: 'a', intValue: 1 } },
      '.body.intValue: only one of its kind may be set, and "string_value" is, too.',
    ],
    [{ severityText: ['y'.repeat(200)] }, '.severityText: an array must be a text.'],
    [{ traceId: 'y'.repeat(200) }, `.traceId: "${'y'.repeat(100)}…" must be`],
  ])('%j', (record, message) => {
    expect(faultOf(logs(record))).toContain(`${place}${message}`);
  });

  test.each([
    ['[]', 'The body: an array must be an object.'],
    ['1', 'The body: 1 must be an object.'],
    ['', 'It is no valid JSON'],
    ['{', 'It is no valid JSON'],
    ['{}}', 'It is no valid JSON'],
    ['{} {}', 'It is no valid JSON'],
    ['{"resourceLogs":{}}', 'resourceLogs: an object must be an array.'],
    ['{"resourceLogs":[1]}', 'resourceLogs[0]: 1 must be an object.'],
    ['{"resourceLogs":[{"schemaUrl":1}]}', 'resourceLogs[0].schemaUrl: 1 must be a text.'],
  ])('%s', (text, message) => {
    expect(faultOf(text)).toContain(message);
  });

  test('bytes that are no UTF-8', () => {
    const body = Buffer.from('{"a":"\xff"}', 'latin1');
    expect(() => recorded((visitor) => readJson(body, 'logs', visitor))).toThrow('not UTF-8');
  });
});

describe('D8: what bounds a request', () => {
  function nested(levels: number): unknown {
    let any: unknown = { stringValue: 'x' };
    for (let level = 0; level < levels; level += 1) any = { arrayValue: { values: [any] } };
    return any;
  }

  test('values in values', () => {
    const most = (otlpLimits.nesting - 1) / 2;
    expect(value(nested(Math.floor(most)))).toBeDefined();
    expect(faultOf(logs({ body: nested(Math.ceil(most)) }))).toContain('nested deeper than 100 messages');
  });

  test('values of one record', () => {
    const values = Array.from({ length: otlpLimits.valuesPerRecord }, () => 1);
    const histogram = (bucketCounts: readonly number[]): object =>
      points({ histogram: { dataPoints: [{ bucketCounts }] } });
    expect(read(histogram(values), 'metrics')).toHaveLength(4);
    expect(faultOf(histogram([...values, 1]), 'metrics')).toContain('one record holds more than 100000 values');
  });

  test('parts of a request', () => {
    const records = (count: number): string =>
      `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${Array(count).fill('{}').join()}]}]}]}`;
    expect(read(records(otlpLimits.partsPerRequest - 1000))).toHaveLength(otlpLimits.partsPerRequest - 998);
    expect(faultOf(records(otlpLimits.partsPerRequest + 1000))).toContain('more than 100000');
  });

  test.each([
    ['brackets that never end', '['.repeat(64 << 20)],
    ['objects that never end', '{"a":'.repeat(8 << 20)],
    ['brackets in balance', '['.repeat(200_000) + ']'.repeat(200_000)],
    ['a field that nobody knows', `{"a":${'['.repeat(1000)}${']'.repeat(1000)}}`],
  ])('%s', (_, text) => {
    expect(faultOf(text)).toContain('nested deeper than 300 objects and arrays');
  });

  test.each([
    ['one number', '1'.repeat(64 << 20)],
    ['one text', `"${'a'.repeat(64 << 20)}"`],
    ['one text that does not end', `"${'\\"'.repeat(32 << 20)}`],
    ['blanks', ' '.repeat(64 << 20)],
  ])('64 MiB of %s', (_, text) => {
    expect(faultOf(text)).toMatch(/JSON|object/);
  });

  test('blanks between its signs', () => {
    const spaced = (blanks: number): string => `{"resourceLogs":[${' '.repeat(blanks)}{}]}`;
    expect(read(spaced(otlpLimits.bytesBetweenTokens))).toHaveLength(1);
    expect(faultOf(spaced(otlpLimits.bytesBetweenTokens + 1))).toContain('blanks or digits in a row');
  });
});

describe('what is wrong in a record of some hundred kilobytes is said with its place', () => {
  const text = 'x'.repeat(200_000);
  const attribute = { key: 'k', value: { stringValue: 'x'.repeat(1000) } };

  test.each([
    [
      { attributes: [...Array.from({ length: 300 }, () => attribute), { key: 1 }] },
      'attributes[300].key: 1 must be a text.',
    ],
    [{ attributes: text }, `attributes: "${text.slice(0, 50)}`],
    [{ body: text }, `body: "${text.slice(0, 50)}`],
    [{ flags: text }, 'must be a whole number'],
    [{ severityText: { text } }, 'severityText: an object must be a text.'],
    [{ body: [text] }, 'body: an array must be an object.'],
    [{ body: { stringValue: text, boolValue: true } }, 'only one of its kind may be set'],
    [{ severityText: text, severity_text: text }, 'it is there twice'],
    [{ unknown: { text }, severityText: 1, other: text }, 'severityText: 1 must be a text.'],
  ])('%#', (record, message) => {
    expect(faultOf(logs(record))).toContain(message);
  });
});
