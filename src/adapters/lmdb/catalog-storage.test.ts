import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { canTraceSystemCalls, systemCallsOf, type SystemCall } from '../../../test/support/system-calls.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { openLmdbCatalog } from './catalog.ts';
import { openEnvironment } from './client.ts';

const waiting = { signal: new AbortController().signal };
const processModule = fileURLToPath(new URL('../../../test/support/catalog-process.ts', import.meta.url));

describe('the LMDB catalog on its disk', () => {
  let folder: string;
  let path: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'millrace-catalog-'));
    path = join(folder, 'catalog');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const create = (catalog: Catalog, id: string, value: object = {}) =>
    catalog.compareAndSet({ collection: 'sink', id, expected: undefined, value }, waiting);
  const changesSince = (catalog: Catalog, token: string | undefined) =>
    catalog.changes({ collection: 'sink', token, maxWaitMs: 0 }, waiting);

  it('D1: a write is synced before the answer', async ({ skip }) => {
    if (!canTraceSystemCalls()) skip('strace is not installed');
    const calls = await systemCallsOf(
      [processModule, path, '5'],
      'openat,write,writev,pwrite64,pwritev,fdatasync,fsync',
    );
    expect(syncsBeforeAnswers(calls)).toEqual(Array.from({ length: 5 }, () => ({ synced: true, unsyncedWrites: 0 })));
  });

  it('lets the process end: nothing of an idle catalog keeps it alive', async () => {
    const output = execFileSync(process.execPath, [processModule, path, '2'], { encoding: 'utf8', timeout: 240_000 });
    expect(output).toBe('ready\nwritten 0\nwritten 1\n');
    await using catalog = await openLmdbCatalog({ path });
    expect(await catalog.count('sink', '', waiting)).toBe(2);
  });

  it('forgets old removals: a token from before gets the whole collection, a younger one the removals', async () => {
    await using catalog = await openLmdbCatalog({ path, keptRemovals: 3 });
    await create(catalog, 'stays');
    const { token: old } = await changesSince(catalog, undefined);
    const tokens: string[] = [];
    for (let n = 0; n < 20; n += 1) {
      await create(catalog, `gone-${n}`);
      const revision = (await catalog.get('sink', `gone-${n}`, waiting))?.revision ?? 0;
      tokens.push((await changesSince(catalog, undefined)).token);
      expect(await catalog.remove('sink', `gone-${n}`, revision, waiting)).toBe(true);
    }
    expect(await changesSince(catalog, old)).toMatchObject({ complete: true, written: [{ id: 'stays' }], removed: [] });
    expect(await changesSince(catalog, tokens.at(-3))).toMatchObject({
      complete: false,
      written: [],
      removed: ['gone-17', 'gone-18', 'gone-19'],
    });
  });

  it('does not take the token of a catalog that was there before', async () => {
    const before = await openLmdbCatalog({ path });
    await create(before, 'a');
    const { token } = await changesSince(before, undefined);
    await before[Symbol.asyncDispose]();
    await rm(path, { recursive: true });
    await using catalog = await openLmdbCatalog({ path });
    await create(catalog, 'b');
    expect(await changesSince(catalog, token)).toMatchObject({ complete: true, written: [{ id: 'b' }] });
  });

  it('D9: refuses an id and a document beyond their limits, naming them', async () => {
    await using catalog = await openLmdbCatalog({ path });
    await expect(create(catalog, 'x'.repeat(961))).rejects.toMatchObject({ code: 'input.invalid' });
    await expect(create(catalog, '')).rejects.toMatchObject({ code: 'input.invalid' });
    const large = { text: 'x'.repeat(16 * 1024 * 1024) };
    await expect(create(catalog, 'a', large)).rejects.toMatchObject({ code: 'input.invalid' });
    await create(catalog, '\uffff'.repeat(960), { longest: true });
    expect(await catalog.count('sink', '\uffff', waiting)).toBe(1);
  });

  it('refuses a folder of a newer format with data.newerFormat and leaves it as it is', async () => {
    await openEnvironment({ path, kind: 'catalog', format: 2 }).close();
    await expect(openLmdbCatalog({ path })).rejects.toMatchObject({ code: 'data.newerFormat' });
  });

  it('refuses calls after it was closed', async () => {
    const catalog = await openLmdbCatalog({ path });
    await catalog[Symbol.asyncDispose]();
    await expect(catalog.get('sink', 'a', waiting)).rejects.toMatchObject({ code: 'internal.bug' });
  });

  it('D10: closing finishes the writes that were under way', async () => {
    const catalog = await openLmdbCatalog({ path });
    const writes = ['a', 'b', 'c'].map((id) => create(catalog, id));
    await catalog[Symbol.asyncDispose]();
    expect(await Promise.all(writes)).toMatchObject([{ kind: 'written' }, { kind: 'written' }, { kind: 'written' }]);
    await using again = await openLmdbCatalog({ path });
    expect(await again.count('sink', '', waiting)).toBe(3);
  });

  it('a wait for changes ends when the catalog is closed', async () => {
    const catalog = await openLmdbCatalog({ path });
    const { token } = await changesSince(catalog, undefined);
    const change = catalog.changes({ collection: 'sink', token, maxWaitMs: 25_000 }, waiting);
    await Promise.all([expect(change).rejects.toMatchObject({ code: 'internal.bug' }), catalog[Symbol.asyncDispose]()]);
  });

  it('D8: a full disk is catalog.unavailable that says so, loses nothing and heals', async ({ skip }) => {
    mkdirSync(path);
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', path]).status === 0;
    if (!mounted) skip('a tmpfs cannot be mounted here');
    try {
      await using catalog = await openLmdbCatalog({ path });
      const value = { text: 'x'.repeat(100_000) };
      let failure: unknown;
      let written = 0;
      while (failure === undefined && written < 300) {
        const id = `d-${written}`;
        failure = await create(catalog, id, value).then(
          () => undefined,
          (error: unknown) => error,
        );
        if (failure === undefined) written += 1;
      }
      expect(failure).toMatchObject({ code: 'catalog.unavailable', retryable: true });
      expect(String(failure)).toContain('the disk of the catalog is full');
      expect(await catalog.count('sink', 'd-', waiting)).toBe(written);
      const { revision = 0 } = (await catalog.get('sink', 'd-0', waiting)) ?? {};
      expect(await catalog.remove('sink', 'd-0', revision, waiting)).toBe(true);
      const { revision: other = 0 } = (await catalog.get('sink', 'd-1', waiting)) ?? {};
      expect(await catalog.remove('sink', 'd-1', other, waiting)).toBe(true);
      expect(await create(catalog, 'after', value)).toMatchObject({ kind: 'written' });
      expect(await catalog.count('sink', '', waiting)).toBe(written - 1);
    } finally {
      spawnSync('umount', ['-l', path]);
    }
  });
});

/** Zeros that make the file longer hold nothing yet; LMDB itself writes at places. */
const isAhead = (name: string): boolean => name === 'write';

/** For each line `written N` of the traced process: whether the data file was synced since the last, and what was not. */
function syncsBeforeAnswers(
  calls: readonly SystemCall[],
): readonly { readonly synced: boolean; readonly unsyncedWrites: number }[] {
  const synchronous = new Set(calls.flatMap(({ text }) => /O_DSYNC.* = ([0-9]+)<.*data\.mdb>/.exec(text)?.[1] ?? []));
  const answers = [];
  let unsyncedWrites = 0;
  let synced = false;
  for (const { name, text } of calls.slice(calls.findIndex((call) => call.text.includes('"ready')))) {
    const descriptor = /\(([0-9]+)</.exec(text)?.[1] ?? '';
    if (text.includes('"written')) {
      answers.push({ synced, unsyncedWrites });
      synced = false;
    } else if (text.includes('data.mdb>') && !isAhead(name)) {
      if (name === 'fdatasync' || name === 'fsync') [unsyncedWrites, synced] = [0, true];
      else if (!synchronous.has(descriptor)) unsyncedWrites += 1;
    }
  }
  return answers;
}
