import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/spec/delivery.md', root), 'utf8');

/** The tests that the page names under each rule. */
const rules = page
  .split(/^### /m)
  .slice(1)
  .map((section) => ({
    rule: section.slice(0, section.indexOf(' ')),
    tests: [...section.matchAll(/^- `([^`]+)`: (.+)$/gm)].map(([, file = '', title = '']) => ({ file, title })),
  }));

describe('docs/spec/delivery.md', () => {
  test('it has the ten rules', () => {
    expect(rules.map(({ rule }) => rule)).toEqual(Array.from({ length: 10 }, (_, index) => `D${index + 1}`));
  });

  test.each(rules)('$rule names tests that hold it, under titles that name the rule', ({ rule, tests }) => {
    expect(tests.length).toBeGreaterThan(0);
    for (const { file, title } of tests) {
      expect(title.split(':')[0]?.split(', '), title).toContain(rule);
      expect(readFileSync(new URL(file, root), 'utf8'), file).toContain(title);
    }
  });
});
