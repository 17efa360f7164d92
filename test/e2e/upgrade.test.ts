import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Ports } from '../../src/runtime/composition/ports.ts';
import { dataFolder } from '../../src/runtime/embedded/data-folder.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { Installation, rootToken } from '../support/installation.ts';
import { lostFields, withNewerFields } from '../support/newer-release.ts';
import { runMillrace } from '../support/run-millrace.ts';

const never = { signal: new AbortController().signal };
const collections = ['source', 'sink', 'progress', 'meta'] as const;
const newer = 1000;

interface Written {
  readonly collection: (typeof collections)[number];
  readonly id: string;
  readonly value: object;
}

let scratch: string;
let installation: Installation;

beforeEach(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'millrace-upgrade-'));
  installation = await Installation.start();
  await installation.shop().create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
  await send(1);
});

afterEach(async () => {
  await installation[Symbol.asyncDispose]();
  await rm(scratch, { recursive: true, force: true });
});

async function send(n: number): Promise<void> {
  const answer = await fetch(await installation.shop().url(), { method: 'POST', body: JSON.stringify({ n }) });
  expect(answer.status).toBe(200);
}

async function delivered(): Promise<readonly number[]> {
  await installation.shop().flush('orders');
  return installation.shop().numbersIn('in.c-shop.orders');
}

/** The catalog of the process, which is stopped. */
async function withCatalog<Result>(work: (catalog: Ports['catalog']) => Promise<Result>): Promise<Result> {
  await using stack = new AsyncDisposableStack();
  const onBroken = (error: Error): never => {
    throw error;
  };
  const options = { instance: 'test', first: false, onBroken };
  const { catalog } = await openEmbeddedPorts(dataFolder(installation.folder), options, stack);
  return await work(catalog);
}

/** As a newer release leaves it: fields that nobody here knows, and its marks. */
async function upgraded(oldestWriter: number): Promise<readonly Written[]> {
  await installation.stop('SIGTERM');
  return withCatalog(async (catalog) => {
    const written: Written[] = [];
    for (const collection of collections)
      for (const document of await catalog.list({ collection, prefix: '' }, never)) {
        const isMarked = document.id === 'installation';
        const fields = withNewerFields(document.value as object);
        const value = isMarked ? { ...fields, format: { version: newer, oldestWriter } } : fields;
        const write = { collection, id: document.id, expected: document.revision, value } as const;
        expect((await catalog.compareAndSet(write, never)).kind).toBe('written');
        written.push({ collection, id: document.id, value });
      }
    return written;
  });
}

describe('an upgrade that is taken back', () => {
  it('U1, U4: goes on with the release before where the new one lets it, and what that wrote stays', async () => {
    const before = await upgraded(1);
    await installation.start();
    await send(2);
    expect(await delivered()).toEqual([1, 2]);
    await installation.stop('SIGTERM');
    await withCatalog(async (catalog) => {
      for (const { collection, id, value } of before) {
        const now = (await catalog.get(collection, id, never))?.value ?? value;
        expect(lostFields(value, now), id).toEqual([]);
      }
    });
    await installation.start();
  });

  it('U4: is refused in words where it does not, changes nothing, and the backup of before goes on', async () => {
    const copy = join(scratch, 'before');
    const run = (...args: readonly string[]): ReturnType<typeof runMillrace> =>
      runMillrace(args, { env: { ...installation.env, MILLRACE_LOG_LEVEL: 'silent' } });
    expect(await run('backup', copy)).toMatchObject({ code: 0 });
    await send(2);
    const before = await upgraded(newer);
    const refused = await run('start');
    expect(refused.code).not.toBe(0);
    expect(refused.stderr).toContain(
      `the catalog has format ${newer}; this version of the product knows formats up to`,
    );
    await withCatalog(async (catalog) => {
      for (const collection of collections)
        for (const { id, value } of await catalog.list({ collection, prefix: '' }, never))
          expect(before.find((one) => one.collection === collection && one.id === id)?.value, id).toEqual(value);
    });
    const back = join(scratch, 'back');
    expect(await run('restore', copy, '--data-dir', back)).toMatchObject({ code: 0 });
    await using again = await Installation.start({ folder: back, env: { MILLRACE_ROOT_TOKEN: rootToken } });
    await again.shop().flush('orders');
    expect(await again.shop().numbersIn('in.c-shop.orders')).toEqual([1]);
    expect(await runMillrace(['report'], { env: { ...again.env } })).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('nothing is missing') as string,
    });
  });
});
