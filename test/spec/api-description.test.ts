import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/spec/api-description.md', root), 'utf8');
const rules = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    rule: section.slice(0, section.indexOf(' ')),
    tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
  }));

test('docs/spec/api-description.md has rules O1 to O4', () => {
  expect(rules.map(({ rule }) => rule)).toEqual(['O1', 'O2', 'O3', 'O4']);
});

test.each(rules)('$rule names tests that hold it, by their titles', ({ tests }) => {
  expect(tests.length).toBeGreaterThan(0);
  for (const { file, title } of tests) expect(readFileSync(new URL(file, root), 'utf8'), file).toContain(title);
});
