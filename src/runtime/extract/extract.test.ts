import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hiddenTexts } from './hidden-texts.ts';
import { SpoolFolder } from './spool-folder.ts';

async function folders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('millrace-extract-'));
}

async function all(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const read: Uint8Array[] = [];
  for await (const piece of pieces) read.push(piece);
  return Buffer.concat(read);
}

describe('the spool of a run', () => {
  it('gives bytes back as they came, from memory and from the disk', async () => {
    await using spool = new SpoolFolder();
    const parts = ['a\u2028b', '', 'c\rd\n', 'é\u{1f600}', 'x'.repeat(200_000)].map((text) => Buffer.from(text));
    for (const part of parts) await spool.append('1.a', part);
    expect(await all(spool.read('1.a'))).toEqual(Buffer.concat(parts));
    for (let at = 0; at < 50; at += 1) await spool.append('1.b', Buffer.alloc(100_000, at));
    await spool.append('1.a', Buffer.from('last'));
    expect(await all(spool.read('1.a'))).toEqual(Buffer.concat([...parts, Buffer.from('last')]));
    expect(await all(spool.read('none'))).toHaveLength(0);
  });

  it('is read while bytes come under another name, each once', async () => {
    await using spool = new SpoolFolder();
    for (let at = 0; at < 10_000; at += 1) await spool.append('from', Buffer.from(`${at} ${'z'.repeat(1000)}`));
    for await (const piece of spool.read('from')) await spool.append('to', piece);
    const read = await all(spool.read('from'));
    expect(read.length).toBeGreaterThan(10_000 * 1000);
    expect((await all(spool.read('to'))).equals(read)).toBe(true);
  });

  it('leaves nothing behind, also when it ends while it writes', async () => {
    const before = await folders();
    for (let round = 0; round < 20; round += 1) {
      await using spool = new SpoolFolder();
      void spool.append('a', Buffer.alloc(5 * 1024 * 1024));
    }
    expect(await folders()).toEqual(before);
  });

  it('leaves nothing behind', async () => {
    const before = await folders();
    const spool = new SpoolFolder();
    for (let at = 0; at < 6; at += 1) await spool.append('a', Buffer.alloc(1024 * 1024));
    await all(spool.read('a'));
    expect(await folders()).toHaveLength(before.length + 1);
    await spool[Symbol.asyncDispose]();
    expect(await folders()).toEqual(before);
  });
});

it('texts below a key with # are hidden, as they are and in a URL, also where one holds another', () => {
  const hide = hiddenTexts({ a: 'shown', '#b': 'secret/x', c: { '#d': ['secret/x and more', 'ab'] } });
  expect(hide('shown secret/x, secret%2Fx, secret/x and more, ab')).toBe('shown [hidden], [hidden], [hidden], ab');
});
