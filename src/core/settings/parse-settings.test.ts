import { describe, expect, test } from 'vitest';
import { mergeOverrides } from './merge-overrides.ts';
import { parseSettingsPatch } from './parse-settings.ts';

const upload = 'storage.level.staging.upload.trigger';
const blockSize = 'storage.level.local.encoding.compression.gzip.blockSize';

function problem(key: string, value: unknown): string | undefined {
  return parseSettingsPatch([{ key, value }], 'source').problems[0]?.message;
}

function override(key: string, value: unknown): unknown {
  return parseSettingsPatch([{ key, value }], 'source').overrides[key];
}

describe('a patch of settings', () => {
  test.each([
    [`${upload}.count`, 3.9, 3],
    [`${upload}.size`, '2048KB', '2MB'],
    [`${upload}.size`, 2048, '2KB'],
    [`${upload}.interval`, 60_000_000_000, '1m0s'],
    [`${upload}.interval`, '90s', '1m30s'],
    ['storage.level.local.encoding.sync.wait', false, false],
    ['ingest.batch', 'auto', 'auto'],
    ['ingest.defaultContentType', 'application/json; charset=utf-8', 'application/json; charset=utf-8'],
    ['ingest.defaultContentType', '', ''],
    [`${upload}.count`, null, null],
  ])('%s accepts %j as %j', (key, value, kept) => {
    expect(problem(key, value)).toBeUndefined();
    expect(override(key, value)).toEqual(kept);
  });

  test.each([
    [`${upload}.count`, 0, `Invalid "${upload}.count" value "0": must be from 1 to 10000000`],
    [`${upload}.size`, '60MB', `Invalid "${upload}.size" value "60MB": must be from 100B to 50MB`],
    [`${upload}.interval`, '31m', `Invalid "${upload}.interval" value "31m": must be from 1s to 30m0s`],
    [
      `${upload}.interval`,
      Number.POSITIVE_INFINITY,
      `Invalid "${upload}.interval" value "Infinity": must be from 1s to 30m0s`,
    ],
    ['ingest.batch', 'x', 'Invalid "ingest.batch" value "x": must be one of "off", "lines", "array", "auto"'],
  ])('D9: %s refuses %j naming key, value and range', (key, value, message) => {
    expect(problem(key, value)).toBe(message);
  });

  test.each([
    [`${upload}.size`, 'bar', `Invalid "${upload}.size" value "bar": invalid syntax`],
    [`${upload}.size`, 'x'.repeat(30), `Invalid "${upload}.size" value "${'x'.repeat(20)}…": invalid syntax`],
    [`${upload}.interval`, 'foo', `Invalid "${upload}.interval": time: invalid duration "foo"`],
    [`${upload}.count`, '5', `invalid "${upload}.count" value: found type "string", expected "int"`],
    [`${upload}.size`, true, `invalid "${upload}.size" value: found type "bool", expected "string"`],
    [
      'storage.level.local.encoding.sync.wait',
      'true',
      'invalid "storage.level.local.encoding.sync.wait" value: found type "string", expected "bool"',
    ],
    ['ingest.batch', { a: 1 }, 'invalid "ingest.batch" value: found type "object", expected "string"'],
    ['ingest.batch', [], 'invalid "ingest.batch" value: found type "array", expected "string"'],
  ])('D9: %s refuses %j in the words of the reference', (key, value, message) => {
    expect(problem(key, value)).toBe(message);
  });

  test('a content type that is none is refused', () => {
    expect(problem('ingest.defaultContentType', 'json')).toContain('a content type such as "application/json"');
    expect(problem('ingest.defaultContentType', 'a/b\r\nX: y')).toBeDefined();
  });

  test('protected keys are a kind of their own, because they answer 403', () => {
    expect(parseSettingsPatch([{ key: blockSize, value: '1MB' }], 'source').problems).toEqual([
      { kind: 'protected', keys: [blockSize], message: `Cannot modify protected keys: "${blockSize}"` },
    ]);
  });

  test('unknown keys are named together, cut at 50 characters', () => {
    const entries = ['first.unknown.key', 'second.unknown.key', 'third.unknown.key'].map((key) => ({ key, value: 1 }));
    expect(parseSettingsPatch(entries, 'source').problems).toEqual([
      {
        kind: 'unknown',
        keys: entries.map(({ key }) => key),
        message: 'key not found: "first.unknown.key", "second.unknown.key", "third.…',
      },
    ]);
  });

  test('a key that is given twice is refused', () => {
    const entry = { key: `${upload}.count`, value: 1 };
    expect(parseSettingsPatch([entry, entry], 'sink').problems[0]).toMatchObject({
      kind: 'duplicate',
      message: `key "${upload}.count" is defined multiple times`,
    });
  });

  test('a setting of the source is not given on a sink', () => {
    expect(parseSettingsPatch([{ key: 'ingest.batch', value: 'off' }], 'sink').problems).toMatchObject([
      { kind: 'level' },
    ]);
  });

  test('a key of the object prototype is unknown', () => {
    expect(parseSettingsPatch([{ key: 'constructor', value: 1 }], 'source').problems).toMatchObject([
      { kind: 'unknown' },
    ]);
  });

  test('it merges by key, and null removes an override', () => {
    const { overrides } = parseSettingsPatch(
      [
        { key: `${upload}.count`, value: null },
        { key: `${upload}.size`, value: '1KB' },
      ],
      'sink',
    );
    const current = { [`${upload}.count`]: 5, [`${upload}.interval`]: '2s' };
    expect(mergeOverrides(current, overrides)).toEqual({ [`${upload}.interval`]: '2s', [`${upload}.size`]: '1KB' });
  });
});
