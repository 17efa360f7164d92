import { Buffer } from 'node:buffer';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from './split-lines.ts';

async function linesOf(chunks: readonly Uint8Array[]): Promise<readonly (readonly [string, string])[]> {
  const lines: (readonly [string, string])[] = [];
  const stream = (async function* () {
    yield* chunks;
  })();
  for await (const { place, body } of splitLines('f', stream))
    lines.push([place, Buffer.from(body).toString('latin1')]);
  return lines;
}

describe('the lines of a file', () => {
  it('are the same however the bytes come in, byte for byte, with their numbers', async () => {
    const line = fc.uint8Array({ maxLength: 12 }).map((bytes) => bytes.filter((byte) => byte !== 10 && byte !== 13));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line),
        fc.array(fc.nat(30)),
        fc.constantFrom('\n', '\r\n'),
        async (lines, cuts, end) => {
          const bytes = Buffer.concat(lines.flatMap((one) => [one, Buffer.from(end)]));
          const edges = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length];
          const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
          const expected = lines
            .map((one, index) => [`f:${index + 1}`, Buffer.from(one).toString('latin1')] as const)
            .filter(([, text]) => !/^[\t ]*$/.test(text));
          expect(await linesOf(chunks)).toEqual(expected);
        },
      ),
    );
  });

  it('need no line end at the end', async () => {
    expect(await linesOf([Buffer.from('a\nb')])).toEqual([
      ['f:1', 'a'],
      ['f:2', 'b'],
    ]);
  });

  it('D8: longer than any event are refused with their place', async () => {
    const chunk = Buffer.alloc(1024 * 1024, 'x');
    await expect(linesOf([Buffer.from('a\n'), ...Array.from({ length: 20 }, () => chunk)])).rejects.toThrow(
      'f:2: the line is longer than 16777216 bytes.',
    );
  });
});
