import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const { isBuilt, stampBuild } = createRequire(import.meta.url)('../../bin/built.cjs') as {
  readonly isBuilt: (root: string) => boolean;
  readonly stampBuild: (root: string) => { readonly buildStart: () => void; readonly writeBundle: () => void };
};

/** Beside the sources: what says how they are built, and which packages are put in. */
const named = ['rolldown.config.ts', 'package.json', 'package-lock.json'];

describe('what is built is taken in a clone', () => {
  let root: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'millrace-clone-'));
    await mkdir(join(root, 'src/room'), { recursive: true });
    await mkdir(join(root, 'dist'));
    for (const path of [...named, 'src/main.ts', 'src/room/part.ts', 'src/room/part.test.ts'])
      await writeFile(join(root, path), '');
  });

  afterEach(() => rm(root, { recursive: true, force: true }));

  it('only when it is of these very sources', async () => {
    expect(isBuilt(root)).toBe(false);
    build();
    expect(isBuilt(root)).toBe(true);
    await utimes(join(root, 'src/room/part.test.ts'), 1, 1);
    expect(isBuilt(root)).toBe(true);
    await utimes(join(root, 'src/room/part.ts'), 1, 1);
    expect(isBuilt(root)).toBe(false);
    build();
    await writeFile(join(root, 'src/room/more.ts'), '');
    expect(isBuilt(root)).toBe(false);
    build();
    await rm(join(root, 'src/room/part.ts'));
    expect(isBuilt(root)).toBe(false);
  });

  it.each(named)('only when %s is the same', async (path) => {
    build();
    expect(isBuilt(root)).toBe(true);
    await utimes(join(root, path), 1, 1);
    expect(isBuilt(root)).toBe(false);
  });

  it('not while it is written, and not with a source that changed meanwhile', async () => {
    build();
    const next = stampBuild(root);
    next.buildStart();
    expect(isBuilt(root)).toBe(false);
    await utimes(join(root, 'src/main.ts'), 1, 1);
    next.writeBundle();
    expect(isBuilt(root)).toBe(false);
  });

  function build(): void {
    const { buildStart, writeBundle } = stampBuild(root);
    buildStart();
    writeBundle();
  }
});
