import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Evaluation } from '../evaluation.ts';
import { JsonnetError } from '../jsonnet-error.ts';
import { defaultLimits } from '../limits.ts';
import type { Value } from '../values/value.ts';
import { parseFormat } from './format-syntax.ts';
import { formatValues } from './format-values.ts';

const evaluation = (): Evaluation =>
  new Evaluation({ limits: defaultLimits, context: undefined, extVars: {}, natives: {} });

const format = (text: string, values: Value): string => formatValues(parseFormat(text), values, evaluation());

const layout = fc.record({
  flags: fc.subarray(['0', '-', ' ', '+']).map((list) => list.join('')),
  width: fc.nat({ max: 30 }),
});

/** What C prints for a whole number that is written with these digits. */
function model(value: number, digits: string, { flags, width }: { flags: string; width: number }): string {
  const sign = value < 0 ? '-' : flags.includes('+') ? '+' : flags.includes(' ') ? ' ' : '';
  if (flags.includes('-')) return (sign + digits).padEnd(width);
  if (flags.includes('0')) return sign + digits.padStart(width - sign.length, '0');
  return (sign + digits).padStart(width);
}

describe('formats', () => {
  it('write whole numbers in three bases', () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), layout, (value, layout) => {
        const { flags, width } = layout;
        const size = Math.abs(value);
        expect(format(`%${flags}${width}d`, value)).toBe(model(value, size.toString(), layout));
        expect(format(`%${flags}${width}o`, value)).toBe(model(value, size.toString(8), layout));
        expect(format(`%${flags}${width}X`, value)).toBe(model(value, size.toString(16).toUpperCase(), layout));
      }),
    );
  });

  it('write fractions of two with the digits that JavaScript gives them', () => {
    const eighths = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((value) => value / 8);
    fc.assert(
      fc.property(eighths, fc.nat({ max: 6 }), layout, (value, precision, layout) => {
        const { flags, width } = layout;
        const digits = Math.abs(value).toFixed(precision);
        expect(format(`%${flags}${width}.${precision}f`, value)).toBe(model(value, digits, layout));
      }),
    );
  });

  it('keep all text between codes', () => {
    const text = fc.string({ unit: 'binary' }).filter((text) => !text.includes('%'));
    fc.assert(
      fc.property(text, text, text, (before, value, after) => {
        expect(format(`${before}%s${after}%%`, value)).toBe(`${before}${value}${after}%`);
        expect(format(`${before}%(a)s${after}`, { a: value })).toBe(before + value + after);
      }),
    );
  });

  it('of any text and any values give text or an error of the engine', () => {
    const text = fc.array(fc.constantFrom('%', ...Array.from('%(a)#0- +*.123dioxXeEfgGcsl😀é')), { maxLength: 12 });
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    const value = fc.oneof(number, fc.integer(), fc.string({ maxLength: 2 }), fc.constantFrom(null, true));
    const values = fc.oneof(value, fc.array(value, { maxLength: 4 }), fc.record({ a: value }));
    fc.assert(
      fc.property(text, values, (parts, values) => {
        try {
          expect(typeof format(parts.join(''), values)).toBe('string');
        } catch (error) {
          if (!(error instanceof JsonnetError)) throw error;
        }
      }),
      { numRuns: 2000 },
    );
  });
});
