import { expect, it } from 'vitest';
import { compareOutput } from './shown-output.ts';

const id = '01a1fe19-bbe4-7000-900c-5a83f4aad91f';
const realId = '01a1fe2d-bdc7-7000-ab2a-f6453997a89a';

const problemOf = (shown: string, printed: string): string | undefined =>
  compareOutput(shown.split('\n'), printed).problem;

it('ids, times and the width of columns may differ; ids are learned', () => {
  const shown = [`id                 at                        total`, `${id}  2026-01-02T03:04:05.678Z  12.50`];
  const printed = `id   at    total\n${realId}  2027-11-12T13:14:15.167Z      12.50\n`;
  expect(compareOutput(shown, printed)).toEqual({ problem: undefined, learned: new Map([[id, realId]]) });
});

it('everything else must be as shown', () => {
  expect(problemOf('rows  1', 'rows  2')).toBe('shown:   rows  1\nprinted: rows  2');
  expect(problemOf(`${id}  Ada`, `${realId}  Bob`)).toContain('Ada');
  expect(problemOf('a\nb', 'a')).toContain('shown:   b');
  expect(problemOf('a', 'a\nb')).toBe('printed, but not shown: b');
  expect(problemOf('a.b', 'axb')).toContain('a.b');
});

it('an ellipsis stands for text in a line, alone for any lines', () => {
  expect(problemOf('a … c\n…\ny\n…', 'a b b c\nd\ne\ny\nz')).toBeUndefined();
  expect(problemOf('a\n…\ny', 'a\nx')).toContain('shown:   y');
  expect(problemOf('a\n…\ny', 'a\ny\nz')).toBe('printed, but not shown: z');
});
