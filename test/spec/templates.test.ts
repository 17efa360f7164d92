import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/spec/templates.md', root), 'utf8');
const rules = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    rule: section.slice(0, section.indexOf(' ')),
    tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
  }));

test('docs/spec/templates.md has rules T1 to T4', () => {
  expect(rules.map(({ rule }) => rule)).toEqual(['T1', 'T2', 'T3', 'T4']);
});

test.each(rules)('$rule names tests that hold it, by their titles', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const { file, title } of tests)
    expect(readFileSync(new URL(file, root), 'utf8').replaceAll("\\'", "'"), file).toContain(title);
});
