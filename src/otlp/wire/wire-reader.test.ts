import { expect, test } from 'vitest';
import { readLogRecord } from './messages.ts';
import { WireReader } from './wire-reader.ts';

function read(bytes: readonly number[], end: number) {
  const reader = new WireReader(Uint8Array.from(bytes));
  reader.seek(0);
  return readLogRecord(reader, end);
}

/** `severity_text`, a text of two bytes. */
const text = [0x1a, 2, 0x61, 0x62];

test('A19: a text that reaches over the end of its record is refused', () => {
  const behind = [0x63, 0x64];
  expect(read([...text, ...behind], text.length)).toMatchObject({ severity_text: { start: 2, end: 4, isPlain: true } });
  expect(() => read([...text, ...behind], text.length - 1)).toThrow('over the end of what it is in');
});

test('A19: a field of another type than its definition says is refused, and one without a number', () => {
  expect(() => read([0x18, 1], 2)).toThrow('a field has the type 0, not 2');
  expect(() => read([0x02, 1], 2)).toThrow('a field has no valid number');
  expect(() => read([0x1b, 1], 2)).toThrow('a field has the type 3');
});

test('A19: an enum may be negative, and integers of 32 bits have 32 bits', () => {
  const minusOne = [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01];
  expect(read([0x10, ...minusOne], 11)).toMatchObject({ severity_number: -1 });
  expect(read([0x38, 0xff, 0xff, 0xff, 0xff, 0x1f], 6)).toMatchObject({ dropped_attributes_count: 2 ** 32 - 1 });
});

test.each([
  ['a byte alone', [0x61, 0xff]],
  ['a character that is cut', [0xe2, 0x82]],
  ['half of a pair', [0xed, 0xa0, 0x80]],
  ['a character in more bytes than it needs', [0xc0, 0xaf]],
])('A19, A52: a text that is not UTF-8 is refused, and its field named: %s', (_, content) => {
  const bytes = [0x1a, content.length, ...content];
  expect(() => read(bytes, bytes.length)).toThrow(
    'LogRecord.severity_text: the text that begins at byte 2 is not UTF-8.',
  );
});
