import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

const numbered = (letter: string, length: number): readonly string[] =>
  Array.from({ length }, (_, at) => `${letter}${at + 1}`);

/** Pages of rules, each rule with the tests that hold it. */
const pages = [
  { page: 'docs/spec/apply.md', names: numbered('F', 6) },
  { page: 'docs/spec/api-description.md', names: ['O1', 'O2', 'O3', 'O4'] },
  { page: 'docs/spec/backup.md', names: numbered('R', 3) },
  { page: 'docs/spec/conservation.md', names: numbered('N', 10) },
  { page: 'docs/spec/extractor.md', names: [...numbered('G', 17), ...numbered('E', 17)] },
  { page: 'docs/spec/interface.md', names: numbered('A', 62) },
  { page: 'docs/spec/jobs.md', names: numbered('J', 15) },
  { page: 'docs/spec/liveness.md', names: ['L1', 'L2', 'L3', 'L4', 'L5'] },
  { page: 'docs/spec/migration.md', names: numbered('M', 5) },
  { page: 'docs/spec/storage.md', names: ['B1', 'B2', 'B3', 'B4', 'B5', 'B6', 'B7', 'B8'] },
  { page: 'docs/spec/schedules.md', names: ['S1', 'S2', 'S3', 'S4', 'S5', 'S6', 'S7', 'S8', 'S9'] },
  { page: 'docs/spec/templates.md', names: ['T1', 'T2', 'T3', 'T4'] },
  { page: 'docs/spec/tokens-and-audit.md', names: ['K1', 'K2', 'K3', 'K4', 'K5', 'K6'] },
  { page: 'docs/spec/traces.md', names: numbered('H', 8) },
  { page: 'docs/spec/upgrade.md', names: ['U1', 'U2', 'U3', 'U4'] },
  { page: 'docs/spec/variables.md', names: numbered('P', 7) },
  { page: 'docs/spec/whereabouts.md', names: numbered('W', 6) },
] as const;

describe.each(pages)('$page', ({ page, names }) => {
  const rules = readFileSync(new URL(page, root), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((section) => ({
      rule: section.slice(0, section.indexOf(' ')),
      tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
    }));

  test('has its rules', () => {
    expect(rules.map(({ rule }) => rule)).toEqual(names);
  });

  test.each(rules)('$rule names tests that hold it, by their titles', ({ tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, title } of tests)
      expect(readFileSync(new URL(file, root), 'utf8').replaceAll("\\'", "'"), file).toContain(title);
  });
});
