import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { putRaw } from '../../test/support/put-raw.ts';
import { withMethod } from '../../test/support/with-method.ts';
import { openLmdbCatalog } from '../adapters/lmdb/catalog.ts';
import { MillraceError } from '../core/millrace-error.ts';
import type { Catalog } from '../ports/catalog.ts';
import {
  changeDocument,
  createDocument,
  ensureDocument,
  putDocument,
  removeDocument,
  removeUnchanged,
} from './change-document.ts';
import { DocumentKind } from './document-kind.ts';
import { readDocument } from './read-document.ts';

interface Name {
  readonly first: string;
  readonly last: string;
}

const never = { signal: new AbortController().signal };
const id = 'ada';
const schema: z.ZodType<Name> = z.looseObject({ first: z.string(), last: z.string() });
/** What a release before had: one text. */
const older = new DocumentKind({ collection: 'meta', schema: z.looseObject({ name: z.string() }) });
const today = new DocumentKind<Name>({
  collection: 'meta',
  schema,
  format: { version: 2, oldestWriter: 2 },
  migrations: {
    1: ({ name, ...rest }) => {
      const [first, last] = String(name).split(' ');
      return { ...rest, first, last };
    },
  },
});
const format = { version: 2, oldestWriter: 2 };
const ada = { first: 'Ada', last: 'Lovelace' };

let folder: string;
let catalog: Catalog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-documents-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const stored = async (): Promise<unknown> => (await catalog.get('meta', id, never))?.value;
const put = (value: object): Promise<void> => putRaw(catalog, { collection: 'meta', id, value });
const rename = (last: string) => (before?: Name) => before && { ...before, last };
const unavailable = new MillraceError('catalog.unavailable', 'said by the test');

/** The catalog, where `times` writes answer what `answer` makes of them. */
function answering(times: number, answer: (write: () => Promise<unknown>) => Promise<void>): Catalog {
  let left = times;
  return withMethod(catalog, 'compareAndSet', async (write, options) => {
    if (left-- > 0) await answer(() => catalog.compareAndSet(write, options));
    return catalog.compareAndSet(write, options);
  });
}

describe('formats', () => {
  test('U2: a document of an older format is read as one of today, and written as one', async () => {
    await put({ name: 'Ada Byron', born: 1815 });
    expect((await readDocument(catalog, { kind: today, id }, never))?.value).toEqual({
      ...ada,
      last: 'Byron',
      born: 1815,
    });
    await changeDocument(catalog, { kind: today, id, change: rename('Lovelace') }, never);
    expect(await stored()).toEqual({ ...ada, born: 1815, format });
  });

  test('U2: a document of the first format carries no mark', async () => {
    await putDocument(catalog, { kind: older, id, value: { name: 'Ada' } }, never);
    expect(await stored()).toEqual({ name: 'Ada' });
  });

  test('U2: one that a newer release lets older ones write keeps its format and its fields', async () => {
    const newer = { ...ada, born: 1815, format: { version: 3, oldestWriter: 2, note: 'x' } };
    await put(newer);
    await changeDocument(catalog, { kind: today, id, change: rename('Byron') }, never);
    expect(await stored()).toEqual({ ...newer, last: 'Byron' });
  });

  test('U2: a mark of the same version keeps what a newer release wrote into it, and a higher oldest writer', async () => {
    const same = { ...ada, format: { version: 2, oldestWriter: 2, note: 'x' } };
    await put(same);
    const kind = new DocumentKind<Name>({ collection: 'meta', schema, format: { version: 2, oldestWriter: 1 } });
    await changeDocument(catalog, { kind, id, change: rename('Byron') }, never);
    expect(await stored()).toEqual({ ...same, last: 'Byron' });
  });

  test.each(['change', 'put'])(
    'U2: one that only newer releases may write is read, and not written: %s',
    async (how) => {
      const newer = { ...ada, format: { version: 4, oldestWriter: 3 } };
      await put(newer);
      expect((await readDocument(catalog, { kind: today, id }, never))?.value).toMatchObject(ada);
      const written =
        how === 'change'
          ? changeDocument(catalog, { kind: today, id, change: rename('Byron') }, never)
          : putDocument(catalog, { kind: today, id, value: ada }, never);
      await expect(written).rejects.toMatchObject({
        code: 'catalog.newerDocument',
        message:
          'the document "ada" of the collection "meta" has format 4; this version of the product knows formats up to 2',
      });
      expect(await stored()).toEqual(newer);
    },
  );

  test('U2: one of a newer format that cannot be read says so', () => {
    const parse = (): unknown => today.parse({ names: [], format: { version: 3, oldestWriter: 1 } });
    expect(parse).toThrow(expect.objectContaining({ code: 'catalog.newerDocument' }));
    expect(() => today.parse({ ...ada, format: { version: 'x' } })).toThrow('is invalid at "format.version"');
  });
});

describe('a change', () => {
  test('U3: begins with what was read before, and reads again when that is old', async () => {
    await put(ada);
    const known = await readDocument(catalog, { kind: older.unread(), id }, never);
    await put({ ...ada, last: 'Byron' });
    const seen: unknown[] = [];
    const change = (before?: object): object => ({ ...before, seen: seen.push(before) });
    const after = await changeDocument(catalog, { kind: older.unread(), id, known, change }, never);
    expect(seen).toEqual([ada, { ...ada, last: 'Byron' }]);
    expect(after).toMatchObject({ value: { last: 'Byron', seen: 2 } });
    expect(after?.revision).toBe((await catalog.get('meta', id, never))?.revision);
  });

  test('U3: finds that it has happened, after an answer that got lost', async () => {
    await put(ada);
    let changes = 0;
    const lossy = answering(1, async (write) => {
      await write();
      throw unavailable;
    });
    const change = (before?: object): object => ({ ...before, changes: (changes += 1) });
    expect((await changeDocument(lossy, { kind: older.unread(), id, change }, never))?.value).toMatchObject({
      changes: 1,
    });
    expect(await stored()).toEqual({ ...ada, changes: 1 });
  });

  test('U3: is tried three times while nobody can tell what has happened', async () => {
    await put(ada);
    const change = (before?: object): object => ({ ...before, last: 'Byron' });
    const failing = (times: number): Promise<unknown> =>
      changeDocument(
        answering(times, () => Promise.reject(unavailable)),
        { kind: older.unread(), id, change },
        never,
      );
    await expect(failing(3)).rejects.toBe(unavailable);
    expect(await stored()).toEqual(ada);
    await failing(2);
    expect(await stored()).toEqual({ ...ada, last: 'Byron' });
  });

  test('U3: ends with words when others come before it again and again', async () => {
    let number = 0;
    const contended = withMethod(catalog, 'compareAndSet', async (write, options) => {
      await put({ number: (number += 1) });
      return catalog.compareAndSet(write, options);
    });
    const change = (before?: object): object => ({ ...before, last: 'Byron' });
    await expect(changeDocument(contended, { kind: older.unread(), id, change }, never)).rejects.toMatchObject({
      code: 'catalog.contended',
      message:
        'the document "ada" of the collection "meta" has changed 100 times while this process tried to change it',
    });
    expect(await stored()).toEqual({ number: 100 });
  });

  test('U3: any other error is thrown at once', async () => {
    const broken = answering(1, () => Promise.reject(new MillraceError('input.invalid', 'no')));
    await expect(putDocument(broken, { kind: older, id, value: { name: 'Ada' } }, never)).rejects.toThrow('no');
    expect(await stored()).toBeUndefined();
  });
});

describe('making and removing', () => {
  test('a document is made where there is none', async () => {
    expect(await createDocument(catalog, { kind: today, id, value: ada }, never)).toBe(true);
    expect(await createDocument(catalog, { kind: today, id, value: { ...ada, last: 'Byron' } }, never)).toBe(false);
    expect(await stored()).toEqual({ ...ada, format });
  });

  test('U4: a document that is ensured has the format of this release, or a newer one that lets it', async () => {
    const ensure = (): Promise<Name> => ensureDocument(catalog, { kind: today, id, value: ada }, never);
    expect(await ensure()).toEqual(ada);
    expect(await stored()).toEqual({ ...ada, format });
    await put({ name: 'Ada Byron', born: 1815 });
    expect(await ensure()).toMatchObject({ last: 'Byron', born: 1815 });
    expect(await stored()).toEqual({ ...ada, last: 'Byron', born: 1815, format });
    const revision = (await catalog.get('meta', id, never))?.revision;
    await ensure();
    expect((await catalog.get('meta', id, never))?.revision).toBe(revision);
    await put({ ...ada, format: { version: 3, oldestWriter: 3 } });
    await expect(ensure()).rejects.toMatchObject({ code: 'catalog.newerDocument' });
  });

  test('U2: what was made is known again, with its format', async () => {
    for (const kind of [today, older] as const) {
      const value = kind === today ? ada : { name: 'Ada' };
      const made = { kind: kind as DocumentKind<object>, id, value };
      for (let times = 0; times < 2; times += 1) expect(await createDocument(catalog, made, never)).toBe(true);
      expect(await removeUnchanged(catalog, made, never)).toBe(true);
    }
    expect(await stored()).toBeUndefined();
  });

  test('U2: what an older release made is still what it was', async () => {
    await put({ name: 'Ada Lovelace' });
    const value = (await readDocument(catalog, { kind: today, id }, never))?.value ?? ada;
    expect(await removeUnchanged(catalog, { kind: today, id, value }, never)).toBe(true);
  });

  test('U2: one that only newer releases may write is not removed because it is unchanged', async () => {
    const newer = { ...ada, format: { version: 4, oldestWriter: 3 } };
    await put(newer);
    const value = today.parse(newer);
    await expect(removeUnchanged(catalog, { kind: today, id, value }, never)).rejects.toMatchObject({
      code: 'catalog.newerDocument',
    });
    expect(await stored()).toEqual(newer);
  });

  test('a document is removed while it is still this one', async () => {
    await put(ada);
    const [kind, value] = [older.unread(), { ...ada, last: 'Byron' }];
    expect(await removeUnchanged(catalog, { kind, id, value }, never)).toBe(false);
    await put(value);
    expect(await removeUnchanged(catalog, { kind, id, value }, never)).toBe(true);
    expect(await removeUnchanged(catalog, { kind, id, value }, never)).toBe(true);
  });

  test('what is gone needs no removing', async () => {
    await put(ada);
    for (let times = 0; times < 2; times += 1) await removeDocument(catalog, { collection: 'meta', id }, never);
    expect(await stored()).toBeUndefined();
  });
});
