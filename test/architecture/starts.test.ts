import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const text = (path: string): Promise<string> => readFile(new URL(path, root), 'utf8');

/** What bounds memory and has to be said before a process is there: arenas of the C library, and the main thread's young generation. */
const arenas = 'MALLOC_ARENA_MAX=2';
const young = '--max-semi-space-size=8';

it('however the product is started, its memory has the same bounds', async () => {
  const shebang = `#!/usr/bin/env -S ${arenas} node ${young}\n`;
  expect((await text('bin/millrace.cjs')).startsWith(shebang)).toBe(true);
  expect((await text('src/main.ts')).startsWith(shebang)).toBe(true);
  const { scripts } = JSON.parse(await text('package.json')) as { readonly scripts: { readonly start: string } };
  expect(scripts.start).toMatch(new RegExp(`^${arenas} node ${young} `));
  const image = await text('docker/Dockerfile');
  expect(image).toMatch(new RegExp(`^ENV ${arenas} `, 'm'));
  expect(image).toContain(`ENTRYPOINT ["node", "${young}", `);
});
