import { expect, it } from 'vitest';
import { floodRun } from '../fuzz/floods/flood-run.ts';
import { floodsOf } from '../fuzz/floods/floods.ts';

it('D2, D3, D8: floods of frames of HTTP/2 leave memory flat and others their answers', async () => {
  const outcomes = await floodRun({ ms: 1000, connections: 8 });
  expect(outcomes).toHaveLength(floodsOf('').length);
  for (const { name, frames } of outcomes) expect([name, frames > 1000]).toEqual([name, true]);
});
