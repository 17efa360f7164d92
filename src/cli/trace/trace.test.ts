import { expect, it } from 'vitest';
import { exampleTime as at, exampleSource, onePage as page, runAnswered } from '../../../test/support/command-api.ts';

const S = '/v1/branches/default/sources';
const eventId = '01980f5e-7c2a-7c3b-8d1e-5f6a7b8c9d0e';

const event = {
  eventId,
  partition: 0,
  offset: 17,
  event: { eventId, partition: 0, offset: 17, arrivedAt: at, headers: {}, body: '{}', bodySize: 2 },
  sinks: [
    { sinkId: 'orders', incarnation: 2, state: 'row', text: 'It is a row of in.c-shop.orders.' },
    { sinkId: 'orders', incarnation: 1, deleted: true, state: 'unwanted', text: 'It is not to take it.' },
    {
      sinkId: 'totals',
      incarnation: 3,
      state: 'staged',
      text: 'Its row is in staging\u0007.',
      why: [{ kind: 'failing', text: 'Importing has failed.', action: 'Look.' }],
    },
  ],
};
const shop = { branchId: 1, sourceId: 'shop', verdict: 'Found.', asOf: at, search: { records: 3, done: true } };
const answer = (events: readonly object[], rest: object = {}) => ({ body: { ...shop, events, ...rest } });
const list = (url: string, ids: readonly string[]) => ({
  [`GET ${S}`]: { body: { page, sources: ids.map((sourceId) => ({ ...exampleSource(url), sourceId })) } },
});

it('W4: shows an event with its place, a line a sink, and why it is not in a table yet', async () => {
  const { code, stdout } = await runAnswered(['trace', '--source', 'shop', '--at', '0:17'], () => ({
    [`GET ${S}/shop/trace?at=0%3A17`]: answer([event]),
  }));
  expect({ code, stdout }).toEqual({
    code: 0,
    stdout: `shop: Found.
${eventId}  0:17  arrived ${at}
  orders: row. It is a row of in.c-shop.orders.
  orders (deleted, incarnation 1): unwanted. It is not to take it.
  totals: staged. Its row is in staging\\u0007.
    - Importing has failed.
      What to do: Look.
`,
  });
});

it('W4: looks for an id in one source after the other, until it is found; --json has what the API says', async () => {
  const { stdout, seen } = await runAnswered(['trace', eventId, '--json'], (url) => ({
    ...list(url, ['first', 'shop', 'third']),
    [`GET ${S}/first/trace?eventId=${eventId}`]: answer([], { sourceId: 'first' }),
    [`GET ${S}/shop/trace?eventId=${eventId}`]: answer([event]),
  }));
  expect(JSON.parse(stdout)).toEqual([{ ...shop, events: [event] }]);
  expect(seen.map(({ path }) => path)).toHaveLength(3);
});

it('W5: goes on with the position until there is enough, and counts what was read in all', async () => {
  const query = 'sinkId=orders&column=n&value=a%3Db';
  const { stdout } = await runAnswered(
    ['trace', '--source', 'shop', '--sink', 'orders', '--column', 'n=a=b', '--limit', '2', '--json'],
    () => ({
      [`GET ${S}/shop/trace?${query}&limit=2`]: answer([], { position: '1:0.3-9' }),
      [`GET ${S}/shop/trace?${query}&limit=2&position=1%3A0.3-9`]: answer([event], { position: '1:0.6-9' }),
      [`GET ${S}/shop/trace?${query}&limit=1&position=1%3A0.6-9`]: answer([event]),
    }),
  );
  expect(JSON.parse(stdout)).toEqual([{ ...shop, events: [event, event], search: { records: 9, done: true } }]);
});

it('D9: says what names an event', async () => {
  for (const [args, rule] of [
    [[], 'say which event'],
    [['--since', '1h'], 'must say of which source'],
    [['--source', 'shop', '--column', 'n=1'], 'beside "--sink"'],
    [['--source', 'shop', '--since', 'yesterday'], 'must be a time'],
  ] as const) {
    const { code, stderr } = await runAnswered(['trace', ...args], () => ({}));
    expect([code, stderr]).toEqual([2, expect.stringContaining(rule)]);
  }
});
