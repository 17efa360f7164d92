import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../values/json-value.ts';
import { evaluate, evaluateFields, type Evaluation } from './evaluate.ts';
import { phpTime } from './php-time.ts';

/** Saturday, 1 June 2024, 12:30:45. */
const now = Date.UTC(2024, 5, 1, 12, 30, 45);

function made(value: JsonValue, more: Partial<Evaluation> = {}): JsonValue {
  return evaluate(value, { references: {}, now, ...more });
}

const call = (name: string, ...args: JsonValue[]): JsonValue => ({ function: name, args });

describe('1.2: functions', () => {
  it.each<[string, JsonValue, JsonValue]>([
    ['md5', call('md5', 'a'), '0cc175b9c0f1b6a831c399e269772661'],
    ['sha1', call('sha1', 'a'), '86f7e437faa5a7fce15d1ddcb9eaeaea377667b8'],
    ['hash', call('hash', 'sha256', ''), 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['hash_hmac', call('hash_hmac', 'md5', 'data', 'key'), '9d5c73ef85594d34ec4438b7c97e51d8'],
    [
      'hash_hmac as bytes',
      call('base64_encode', call('hash_hmac', 'sha256', 'data', 'key', true)),
      'UDH+PZicbRU3oBP6bnOdojRj/a7DtwE32Cjjas4iG9A=',
    ],
    ['base64_encode', call('base64_encode', 'äb'), 'w6Ri'],
    ['time', call('time'), 1717245045],
    ['date', call('date', 'Y-m-d H:i:s', 86400), '1970-01-02 00:00:00'],
    [
      'date of now',
      call('date', 'D j. n. y, g:i a (N w z t L W o) jS'),
      'Sat 1. 6. 24, 12:30 pm (6 6 152 30 1 22 2024) 1st',
    ],
    [
      'date with letters that stand for themselves',
      call('date', String.raw`\Y c U e P`),
      'Y 2024-06-01T12:30:45+00:00 1717245045 UTC +00:00',
    ],
    ['date, whole', call('date', 'r', 0), 'Thu, 01 Jan 1970 00:00:00 +0000'],
    ['strtotime', call('strtotime', '2024-01-01'), 1704067200],
    ['strtotime from a time', call('strtotime', '+1 day', 10), 86410],
    ['strtotime of no time', call('strtotime', 'soon'), false],
    ['date of strtotime', call('date', 'Y-m-d', call('strtotime', '-7 days')), '2024-05-25'],
    ['sprintf', call('sprintf', '%s-%05d-%.2f-%x-%%-%2$s', 'a', 7, 1.005, 255), 'a-00007-1.00-ff-%-7'],
    [
      'sprintf with widths',
      call('sprintf', "[%-5s][%5s][%'*6s][%+d][%05.1f]", 'a', 'b', 'c', 3, -1.25),
      '[a    ][    b][*****c][+3][-01.3]',
    ],
    ['085: sprintf with two paddings', call('sprintf', "%'.05d", 3), '00003'],
    [
      'the words of the documentation',
      call('sprintf', 'Three %s are %.2f %s.', 'apples', 0.5, 'plums'),
      'Three apples are 0.50 plums.',
    ],
    [
      'hash_hmac of the documentation',
      call('hash_hmac', 'sha256', '12345abcd5678efgh90ijk', 'TeaPot'),
      'd868d581b2f2edd09e8e7ce12c00723b3fcffb6a5d74c40eae9d94181a0bf731',
    ],
    ['strtotime of the documentation', call('strtotime', '21 oct 2017 9:16pm'), 1508620560],
    ['092: date with microseconds', call('date', 'Y-m-d H:i:s:u', 1492674974), '2017-04-20 07:56:14:000000'],
    [
      '096: a date from another one',
      call('date', 'Y-m-d', call('strtotime', '+7 days', call('strtotime', '2017-10-04'))),
      '2017-10-11',
    ],
    ['concat', call('concat', 'a', 1, true, null, 2.5), 'a112.5'],
    ['implode', call('implode', ',', ['a', call('concat', 'b', 'c')]), 'a,bc'],
    ['implode without what joins', call('implode', ['a', 'b']), 'ab'],
    ['ifempty', call('ifempty', '0', call('ifempty', '', 'x')), 'x'],
    ['nested', call('md5', call('concat', 'a', '')), '0cc175b9c0f1b6a831c399e269772661'],
  ])('%s', (_title, value, expected) => {
    expect(made(value)).toEqual(expected);
  });

  it.each<[string, JsonValue, string]>([
    ['that are not known', call('exec', 'ls'), "Illegal function 'exec'!"],
    ['outside placeholders', call('urlencode', 'a'), "Illegal function 'urlencode'!"],
    ['that are no name', { function: { a: 1 } }, `Illegal function '{"a":1}'!`],
    ['without an argument', call('date'), 'date() expects at least 1 argument, 0 given'],
    ['with too many arguments', call('base64_encode', 1, 2), 'base64_encode() expects exactly 1 argument, 2 given'],
    ['with a list for a text', call('md5', [1]), 'md5(): Argument #1 must be of type string, array given'],
    [
      'with an unknown hash',
      call('hash', 'md55', 'a'),
      'hash(): Argument #1 ($algo) must be a valid cryptographic hashing algorithm',
    ],
    ['ifempty with one', call('ifempty', 1), "Bad argument count for function 'ifempty'!"],
    ['sprintf with too little', call('sprintf', '%s %s', 'a'), '3 arguments are required, 2 given'],
    [
      'sprintf that is too wide',
      call('sprintf', '%9999s', 'a'),
      'Width and precision of "%9999s" must be 1000 or less',
    ],
    ['sprintf of an unknown letter', call('sprintf', '%k', 'a'), 'Unknown format specifier "k"'],
  ])('%s are refused', (_title, value, text) => {
    expect(() => made(value)).toThrow(`User script error: ${text}`);
  });

  it('urlencode is for placeholders', () => {
    expect(made(call('urlencode', 'a b/ü~'), { isPlaceholder: true })).toBe('a+b%2F%C3%BC%7E');
  });
});

describe('1.2: references', () => {
  const references = { attr: { a: { b: 1, 'c.d': [7, null] }, '#k': 'x', n: null }, time: { currentStart: 5 } };

  it('are values by a path with points, of the kinds that stand there', () => {
    expect(made(call('concat', { attr: 'a.b' }, { attr: 'a.c.d.0' }, { attr: '#k' }), { references })).toBe('17x');
    expect(made({ time: 'currentStart' }, { references })).toBe(5);
    expect(made({ response: 'a' }, { references })).toEqual({ response: 'a' });
  });

  it.each<[JsonValue, string]>([
    [{ attr: 'nope' }, "attr 'nope' not found!"],
    [{ attr: 'a' }, "attr 'a' not found!"],
    [{ attr: 'n' }, "attr 'n' not found!"],
    [{ time: { a: 'b' } }, `time '{"a":"b"}' is not a string!`],
  ])('%j is refused', (value, text) => {
    expect(() => made(value, { references })).toThrow(`User script error: Error evaluating user function - ${text}`);
  });

  it('also stand in objects that are none, and not in lists that are no arguments', () => {
    const fields = { f: { x: { attr: '#k' }, y: [call('md5', 'a')], z: 1 }, l: [{ attr: '#k' }] };
    expect(evaluateFields(fields, { references, now })).toEqual({
      f: { x: 'x', y: ['0cc175b9c0f1b6a831c399e269772661'], z: 1 },
      l: [{ attr: '#k' }],
    });
  });
});

describe('1.2: strtotime', () => {
  const from = now / 1000;
  it.each<[string, string]>([
    ['now', '2024-06-01T12:30:45'],
    ['today', '2024-06-01T00:00:00'],
    ['midnight', '2024-06-01T00:00:00'],
    ['noon', '2024-06-01T12:00:00'],
    ['tomorrow', '2024-06-02T00:00:00'],
    ['yesterday noon', '2024-05-31T12:00:00'],
    ['@86400', '1970-01-02T00:00:00'],
    ['2020-02-03', '2020-02-03T00:00:00'],
    ['2020-02-03T04:05:06Z', '2020-02-03T04:05:06'],
    ['2020-02-03 04:05:06.789 +0200', '2020-02-03T02:05:06'],
    ['2020-02-03T04:05:06-05:30', '2020-02-03T09:35:06'],
    ['20200203', '2020-02-03T00:00:00'],
    ['20200203T040506', '2020-02-03T04:05:06'],
    ['02/03/2020', '2020-02-03T00:00:00'],
    ['3.2.2020 10:00', '2020-02-03T10:00:00'],
    ['3 February 2020', '2020-02-03T00:00:00'],
    ['Feb 3, 2020 4pm', '2020-02-03T16:00:00'],
    ['February 2020', '2020-02-01T00:00:00'],
    ['Mon, 03 Feb 2020 04:05:06 GMT', '2020-02-03T04:05:06'],
    ['10:15', '2024-06-01T10:15:00'],
    ['+1 day', '2024-06-02T12:30:45'],
    ['-7 days', '2024-05-25T12:30:45'],
    ['2 hours ago', '2024-06-01T10:30:45'],
    ['+1 week 2 days 4 hours 2 seconds', '2024-06-10T16:30:47'],
    ['-1 month', '2024-05-01T12:30:45'],
    ['next year', '2025-06-01T12:30:45'],
    ['last month', '2024-05-01T12:30:45'],
    ['monday', '2024-06-03T00:00:00'],
    ['saturday', '2024-06-01T00:00:00'],
    ['next saturday', '2024-06-08T00:00:00'],
    ['last monday', '2024-05-27T00:00:00'],
    ['monday this week', '2024-05-27T00:00:00'],
    ['monday next week', '2024-06-03T00:00:00'],
    ['first day of next month', '2024-07-01T12:30:45'],
    ['last day of previous month midnight', '2024-05-31T00:00:00'],
    ['first day of january', '2024-01-01T00:00:00'],
    ['2024-01-31 +1 month', '2024-03-02T00:00:00'],
    ['2020W053', '2020-01-29T00:00:00'],
    ['+3 weekdays', '2024-06-05T12:30:45'],
  ])('%s', (text, expected) => {
    expect(new Date((phpTime(text, from) ?? Number.NaN) * 1000).toISOString()).toBe(`${expected}.000Z`);
  });

  it.each(['', 'soon', '2020-13-01', '10:99', 'next', '1 apple'])('"%s" tells no time', (text) => {
    expect(phpTime(text, from)).toBeUndefined();
  });
});
