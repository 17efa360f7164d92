import { expect, it } from 'vitest';
import {
  exampleTime as at,
  onePage as page,
  exampleSink,
  exampleSource,
  runAnswered,
} from '../../../test/support/command-api.ts';

const S = '/v1/branches/default/sources';
const K = `${S}/shop/sinks/orders`;

const failing = {
  kind: 'failing',
  text: 'Importing has failed 2 times: \u001b[31mno table.',
  nextAt: at,
  code: 'table.notFound',
  action: 'Create the table again.',
};
const own = {
  incarnation: 2,
  verdict: '2 events are not in the table yet: 2 in staging.',
  asOf: at,
  findings: [failing],
};
const why = { branchId: 1, sourceId: 'shop', sinkId: 'orders', delivered: false, waiting: 2, ...own };
const answers = (answer: object) => (url: string) => ({
  [`GET ${S}`]: { body: { page, sources: [exampleSource(url)] } },
  [`GET ${S}/shop/sinks`]: { body: { page, sinks: [exampleSink] } },
  [`GET ${K}/why`]: { body: answer },
});

it('W1: has the verdict, and a line for each reason, with what to do; nothing in it reaches the terminal as it is', async () => {
  const { code, stdout } = await runAnswered(['why', 'shop/orders'], answers(why));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `shop/orders: 2 events are not in the table yet: 2 in staging.
  - Importing has failed 2 times: \\u001b[31mno table.
    What to do: Create the table again.
`,
  });
});

it('W1: is asked for with one word or two, for a source, or for all; what an earlier existence left is told apart', async () => {
  const earlier = [{ ...own, incarnation: 1, findings: [] }];
  for (const names of [[], ['shop'], ['shop', 'orders'], ['shop/orders']]) {
    const { stdout } = await runAnswered(['why', ...names], answers({ ...why, findings: [], earlier }));
    expect(stdout).toBe(`shop/orders: ${own.verdict}\nshop/orders (deleted): ${own.verdict}\n`);
  }
  const json = await runAnswered(['why', '--json'], answers(why));
  expect(JSON.parse(json.stdout)).toEqual([why]);
});

it('says which forms a name has', async () => {
  for (const names of [['shop/orders', 'orders'], ['a/b/c'], ['/orders']]) {
    const { code, stderr } = await runAnswered(['why', ...names], answers(why));
    expect([code, stderr]).toEqual([2, expect.stringContaining('must be "SOURCE", "SOURCE/SINK" or "SOURCE SINK"')]);
  }
});
