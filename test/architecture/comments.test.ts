import { globSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
/** `.editorconfig` says so, too. */
const pageWidth = 140;
const comment = /^\s*(\/\*|\*|\/\/)/;

it('no comment is wider than the page', () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root, exclude: ['src/client/api-types.ts'] });
  const wide = files.flatMap((file) =>
    readFileSync(new URL(file, root), 'utf8')
      .split('\n')
      .flatMap((line, at) => (line.length > pageWidth && comment.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  expect(files.length).toBeGreaterThan(1000);
  expect(wide).toEqual([]);
});
