import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fitWidths } from './fit-widths.ts';

describe('the widths of columns', () => {
  it('are what is needed when there is room', () => {
    expect(fitWidths([36, 24, 3, 5], 120)).toEqual([36, 24, 3, 5]);
  });

  it('leave the narrow columns whole and cut the wide ones alike', () => {
    expect(fitWidths([36, 24, 500, 5, 500], 120)).toEqual([30, 24, 30, 5, 31]);
  });

  it('never exceed what is needed, nor what is available as long as every column can have the least', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1, maxLength: 12 }), (needed) => {
        const widths = fitWidths(needed, 120);
        expect(widths.every((width, column) => width <= (needed[column] ?? 0))).toBe(true);
        expect(widths.reduce((sum, width) => sum + width, 0)).toBeLessThanOrEqual(120);
      }),
    );
  });
});
