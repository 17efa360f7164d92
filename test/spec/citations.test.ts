import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

const rules = new Set(
  globSync('docs/spec/*.md', { cwd: root }).flatMap((page) => read(page).match(/(?<=^### )[A-Z]\d+(?= )/gm) ?? []),
);
const letters = [...new Set([...rules].map((rule) => rule.slice(0, 1)))].join('');

/** A rule's letter and number, and no part of an escape or of a time. */
const citation = new RegExp(`(?<![%\\w])[${letters}]\\d{1,2}\\b(?!:\\d)`, 'g');

test('every rule that code, tests and documents cite stands on a page of docs/spec', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', '**/*.md'], { cwd: root, exclude: ['node_modules'] });
  const unknown = files.flatMap((file) =>
    [...new Set(read(file).match(citation))].filter((rule) => !rules.has(rule)).map((rule) => `${file}: ${rule}`),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(unknown).toEqual([]);
});
