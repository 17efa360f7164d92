import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommanderError } from 'commander';
import { MillraceError } from '../../core/millrace-error.ts';
import { exitCodeOf } from './exit-code.ts';
import { printable } from './printable.ts';
import { tableText } from './print.ts';
import type { ProgressShape } from './progress-shape.ts';
import { progressText } from './progress-text.ts';

const table = { head: ['table', 'rows'], rows: [['in.c-a.b', 12_345]], empty: '' } as const;

describe('printable text', () => {
  it('holds no character that moves the cursor or hides text, and fits the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        const shown = printable(text, width);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(Array.from(shown).length).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('is the text itself when it is harmless and short enough', () => {
    expect(printable('žluťoučký kůň', 13)).toBe('žluťoučký kůň');
    expect(printable('žluťoučký kůň', 12)).toBe('žluťoučký k…');
  });
});

describe('a table', () => {
  it('is aligned text without borders or colours for a pipe', () => {
    expect(tableText(table, false)).toBe('table      rows\nin.c-a.b  12345');
  });

  it('has borders and thousands apart for a person', () => {
    const text = tableText(table, true);
    expect(text).toContain('12 345');
    expect(text).toContain('┌');
  });
});

describe('progress', () => {
  const totals = {
    accepted: 5,
    imported: 5,
    staged: 0,
    inFlight: 0,
    dead: 0,
    filtered: 0,
    holes: 0,
    givenUp: 0,
    none: 0,
  };
  const sink: ProgressShape = {
    sourceId: 's',
    sinkId: 'k',
    takesEvents: true,
    totals: { ...totals, difference: 0 },
    staged: {},
    errors: [],
  };

  it('spares a person the counts that are 0 for every sink', () => {
    expect(progressText([sink], true)).not.toContain('holes');
    expect(progressText([{ ...sink, totals: { ...sink.totals, holes: 2 } }], true)).toContain('holes');
    expect(progressText([sink], false)).toContain('holes');
  });

  it('D4: says it aloud when the numbers do not add up', () => {
    expect(progressText([{ ...sink, alarm: 'The numbers do not add up.' }], false)).toContain(
      '\ns/k: The numbers do not add up.',
    );
  });
});

describe('the exit code', () => {
  it('is 1 for what failed, 2 for wrong usage, 3 for no process, 0 for help', () => {
    expect(exitCodeOf(new MillraceError('client.refused', 'no'))).toBe(1);
    expect(exitCodeOf(new TypeError('a bug'))).toBe(1);
    expect(exitCodeOf(new MillraceError('data.locked', 'no'))).toBe(1);
    expect(exitCodeOf(new MillraceError('config.invalid', 'no'))).toBe(2);
    expect(exitCodeOf(new MillraceError('input.invalid', 'no'))).toBe(2);
    expect(exitCodeOf(new CommanderError(1, 'commander.unknownOption', 'no'))).toBe(2);
    expect(exitCodeOf(new MillraceError('client.unreachable', 'no'))).toBe(3);
    expect(exitCodeOf(new CommanderError(0, 'commander.helpDisplayed', ''))).toBe(0);
  });
});
