import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { hiddenTexts } from './hidden-texts.ts';
import { SpoolFolder } from './spool-folder.ts';

async function folders(): Promise<readonly string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith('millrace-extract-'));
}

async function all(lines: AsyncIterable<string>): Promise<readonly string[]> {
  const read: string[] = [];
  for await (const line of lines) read.push(line);
  return read;
}

describe('the spool of a run', () => {
  it('gives lines back as they came, whatever is in them, from memory and from the disk', async () => {
    await using spool = new SpoolFolder();
    const lines = ['a\u2028b', 'c\rd', '', 'é\u{1f600}', 'x'.repeat(200_000)];
    for (const line of lines) await spool.append('1.a', line);
    expect(await all(spool.read('1.a'))).toEqual(lines);
    for (let at = 0; at < 50; at += 1) await spool.append('1.b', `${at}${'y'.repeat(100_000)}`);
    await spool.append('1.a', 'last');
    expect(await all(spool.read('1.a'))).toEqual([...lines, 'last']);
    expect(await all(spool.read('none'))).toEqual([]);
  });

  it('is read while lines come under another name, each once', async () => {
    await using spool = new SpoolFolder();
    const line = 'z'.repeat(1000);
    for (let at = 0; at < 10_000; at += 1) await spool.append('from', `${at} ${line}`);
    const read: string[] = [];
    for await (const one of spool.read('from')) {
      read.push(one);
      await spool.append('to', one);
    }
    expect(read).toHaveLength(10_000);
    expect(await all(spool.read('to'))).toEqual(read);
  });

  it('leaves nothing behind, also when it ends while it writes', async () => {
    const before = await folders();
    for (let round = 0; round < 20; round += 1) {
      await using spool = new SpoolFolder();
      void spool.append('a', 'x'.repeat(5 * 1024 * 1024));
    }
    expect(await folders()).toEqual(before);
  });

  it('leaves nothing behind', async () => {
    const before = await folders();
    const spool = new SpoolFolder();
    for (let at = 0; at < 6; at += 1) await spool.append('a', 'x'.repeat(1024 * 1024));
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
