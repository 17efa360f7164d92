import { describe, expect, test } from 'vitest';
import { parseSpanContext } from './span-context.ts';

const trace = '0af7651916cd43dd8448eb211c80319c';
const span = 'b7ad6b7169203331';

describe('H2: a traceparent', () => {
  test('is read as the standard has it, with its flag', () => {
    expect(parseSpanContext(`00-${trace}-${span}-01`, 'vendor=1')).toEqual({
      traceId: trace,
      spanId: span,
      isSampled: true,
      state: 'vendor=1',
    });
    expect(parseSpanContext(`00-${trace}-${span}-00`)?.isSampled).toBe(false);
    expect(parseSpanContext(`00-${trace}-${span}-02`)?.isSampled).toBe(false);
    expect(parseSpanContext(`00-${trace}-${span}-ff`)?.isSampled).toBe(true);
  });

  test('of a later version is read as far as it is known', () => {
    expect(parseSpanContext(`01-${trace}-${span}-01`)?.traceId).toBe(trace);
    expect(parseSpanContext(`cc-${trace}-${span}-01-what-comes`)?.spanId).toBe(span);
    expect(parseSpanContext(`cc-${trace}-${span}-01.what-comes`)).toBeUndefined();
  });

  test.each([
    '',
    'nonsense',
    `ff-${trace}-${span}-01`,
    `00-${trace}-${span}-01-more`,
    `00-${trace}-${span}-01-`,
    `00-${trace}-${span}-1`,
    `00-${trace}-${span}`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `0-${trace}-${span}-01`,
    ` 00-${trace}-${span}-01`,
    `00-${trace}-${span}-01 `,
    `00-${trace}-${span}-01\n`,
    `00-${trace}-${span}-0g`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
  ])('that breaks a rule names no trace: %j', (text) => {
    expect(parseSpanContext(text)).toBeUndefined();
  });

  test('keeps its trace when what vendors say is too long or no text', () => {
    const text = `00-${trace}-${span}-01`;
    expect(parseSpanContext(text, 'a'.repeat(512))?.state).toHaveLength(512);
    expect(parseSpanContext(text, 'a'.repeat(513))?.state).toBe('');
    expect(parseSpanContext(text, 'a=\u00e9')?.state).toBe('');
    expect(parseSpanContext(text, 'a=1\r\nb=2')?.state).toBe('');
  });
});
