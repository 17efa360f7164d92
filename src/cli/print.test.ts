import { stripVTControlCharacters } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CommanderError } from 'commander';
import { MillraceError } from '../core/millrace-error.ts';
import { exitCodeOf } from './exit-code.ts';
import { columnsOf, printable } from './printable.ts';
import { tableText } from './print.ts';
import type { ProgressShape } from './progress-shape.ts';
import { progressText } from './progress-text.ts';

const pipe = { human: false, columns: 120 };
const person = { human: true, columns: 80 };
const table = { head: ['table', 'rows'], rows: [['in.c-a.b', 12_345]], empty: '' } as const;

describe('printable text', () => {
  it('holds no character that moves the cursor or hides text, and fits the width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 40 }), (text, width) => {
        const shown = printable(text, width);
        expect(shown).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
        expect(columnsOf(shown)).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('is the text itself when it is harmless and short enough', () => {
    expect(printable('žluťoučký kůň', 13)).toBe('žluťoučký kůň');
    expect(printable('žluťoučký kůň', 12)).toBe('žluťoučký k…');
  });

  it('is cut between characters, of which some take two columns', () => {
    expect(printable('日本語', 6)).toBe('日本語');
    expect(printable('日本語', 5)).toBe('日本…');
    expect(printable('日本語', 4)).toBe('日…');
    expect(printable('👩‍👩‍👧 family', 4)).toBe('👩‍👩‍👧 …');
    expect(printable('a\u200db', 10)).toBe('a\\u200db');
  });
});

describe('a table', () => {
  it('is aligned text without borders or colours for a pipe', () => {
    expect(tableText(table, pipe)).toBe('table      rows\nin.c-a.b  12345');
  });

  it('has borders and thousands apart for a person', () => {
    const text = tableText(table, person);
    expect(text).toContain('12 345');
    expect(text).toContain('┌');
  });

  it('fits into the terminal: a column that may be cut is cut, else the borders go', () => {
    const wide = { head: ['table', 'columns'], rows: [['in.c-a.b', 'x'.repeat(100)]], empty: '' };
    const widths = (text: string) => text.split('\n').map((line) => columnsOf(stripVTControlCharacters(line)));
    const cut = tableText({ ...wide, cut: 'columns' }, person);
    expect(new Set(widths(cut))).toEqual(new Set([80]));
    expect(cut).toContain('xxx…');
    const whole = tableText(wide, person);
    expect(whole).not.toContain('┌');
    expect(whole).toContain('x'.repeat(100));
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
    expect(progressText([sink], person)).not.toContain('holes');
    expect(progressText([{ ...sink, totals: { ...sink.totals, holes: 2 } }], person)).toContain('holes');
    expect(progressText([sink], pipe)).toContain('holes');
  });

  it('tells a person how long ago the last import was, and a program when', () => {
    const at = '2026-01-02T03:04:05.000Z';
    const imported = { ...sink, lastImport: { number: 1, at, rows: 5, dead: 0 } };
    const now = Date.parse(at) + 90_000;
    expect(progressText([imported], person, now)).toContain('last 2 min ago');
    expect(progressText([imported], pipe, now)).toContain(`last ${at}`);
    expect(progressText([{ ...sink, staged: { nextImportAt: at } }], person, now - 100_000)).toContain('next in 10 s');
  });

  it('shows what is not known while the log is away as a question mark, and says why', () => {
    const endsUnknown = 'The brokers do not answer.';
    const away = { ...sink, endsUnknown, totals: { ...sink.totals, accepted: null, inFlight: null } };
    for (const reader of [person, pipe]) {
      const text = stripVTControlCharacters(progressText([away], reader));
      expect(text).toMatch(/s\/k\W+\?\W+5\W+0\W+\?/);
      expect(text).toContain('s/k: what was accepted and is in flight is not known now: The brokers do not answer.');
    }
  });

  it('D4: says it aloud when the numbers do not add up', () => {
    expect(progressText([{ ...sink, alarm: 'The numbers do not add up.' }], pipe)).toContain(
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
