import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import type { CsvContent } from '../ports/csv-content.ts';
import { openedAhead } from './opened-ahead.ts';

const never = { signal: new AbortController().signal };

/** Contents that note which of them were asked for, and the streams that they gave. */
function contents(count: number, failing?: number) {
  const asked: number[] = [];
  const streams: Readable[] = [];
  const made = Array.from({ length: count }, (_, at): CsvContent => {
    const open = async (): Promise<Readable> => {
      asked.push(at);
      if (at === failing) throw new Error(`object ${at} is away`);
      const stream = Readable.from([Buffer.from(`${at}`)]);
      streams.push(stream);
      return stream;
    };
    return { name: `object-${at}`, bytes: 1, localPath: undefined, open };
  });
  return { asked, streams, made };
}

async function textOf(content: CsvContent): Promise<string> {
  return Buffer.concat(await (await content.open(never)).toArray()).toString();
}

it('contents come in their order, each asked for once and before its turn', async () => {
  const { made, asked } = contents(9);
  const found: string[] = [];
  for await (const content of openedAhead(made, never)) {
    expect(asked.length).toBe(Math.min(9, found.length + 4));
    found.push(await textOf(content));
  }
  expect(found).toEqual(['0', '1', '2', '3', '4', '5', '6', '7', '8']);
  expect(asked).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
});

it('a content that is opened again is asked for again', async () => {
  const { made, asked } = contents(1);
  for await (const content of openedAhead(made, never)) {
    await textOf(content);
    expect(await textOf(content)).toBe('0');
  }
  expect(asked).toEqual([0, 0]);
});

it('what lies in a file of this machine is not opened', async () => {
  const { made, asked } = contents(2);
  const local = made.map((content) => ({ ...content, localPath: '/a' }));
  for await (const { localPath } of openedAhead(local, never)) expect(localPath).toBe('/a');
  expect(asked).toEqual([]);
});

it('D8: whoever ends early leaves nothing open', async () => {
  const { made, streams } = contents(9);
  for await (const content of openedAhead(made, never)) {
    await textOf(content);
    break;
  }
  await expect.poll(() => streams.slice(1).map(({ destroyed }) => destroyed)).toEqual([true, true, true]);
});

it('one that breaks while it waits fails in its turn, and ends nothing else', async () => {
  const { made, streams } = contents(3);
  const found: string[] = [];
  const read = async (): Promise<void> => {
    for await (const content of openedAhead(made, never)) {
      found.push(await textOf(content));
      streams[2]?.destroy(new Error('the connection broke'));
    }
  };
  await expect(read()).rejects.toThrow('the connection broke');
  expect(found).toEqual(['0', '1']);
});

it('one that cannot be opened fails in its turn, and those before it are read', async () => {
  const { made } = contents(3, 1);
  const found: string[] = [];
  const read = async (): Promise<void> => {
    for await (const content of openedAhead(made, never)) found.push(await textOf(content));
  };
  await expect(read()).rejects.toThrow('object 1 is away');
  expect(found).toEqual(['0']);
});
