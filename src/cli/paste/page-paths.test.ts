import { expect, test } from 'vitest';
import { withPagePaths } from './page-paths.ts';

test('a page is named by where its file is: near where the command works, or whole', () => {
  const said = 'Fields: docs/spec/topology.md. See docs/guides/cluster.md, and http://a/docs/spec/errors.md.';
  expect(withPagePaths(said, { folder: '/p', workingDir: '/p' })).toBe(said);
  expect(withPagePaths(said, { folder: '/w/node_modules/millrace', workingDir: '/w' })).toBe(
    'Fields: node_modules/millrace/docs/spec/topology.md. See node_modules/millrace/docs/guides/cluster.md, and http://a/docs/spec/errors.md.',
  );
  expect(withPagePaths(said, { folder: '/p', workingDir: '/elsewhere' })).toContain('See /p/docs/guides/cluster.md,');
});
