import { expect, it } from 'vitest';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import type { Fault } from '../support/faults/faults.ts';

interface Written {
  readonly staged: readonly unknown[];
  readonly importing?: object;
}

/** True for the write of a progress document that is such. */
function write(isSuch: (value: Written) => boolean) {
  return ([given]: readonly unknown[]): boolean => {
    const { collection, value } = given as { readonly collection: string; readonly value: Written };
    return collection === 'progress' && isSuch(value);
  };
}

/** The calls that the way of an event consists of. */
const calls: readonly Omit<Fault, 'kind'>[] = [
  {
    port: 'sinkLog',
    method: 'append',
    when: ([at]) => (at as { readonly topic: string }).topic.startsWith('sink.'),
  },
  { port: 'objects', method: 'put' },
  { port: 'catalog', method: 'compareAndSet', when: write(({ staged }) => staged.length > 0) },
  { port: 'catalog', method: 'compareAndSet', when: write(({ importing }) => importing !== undefined) },
  { port: 'tables', method: 'import' },
  {
    port: 'catalog',
    method: 'compareAndSet',
    when: write(({ staged, importing }) => staged.length === 0 && importing === undefined),
  },
];

const faults = [
  ['lostAnswer', 'append, upload, seal and import are done, but the answers are lost'],
  ['lostRequest', 'append, upload, seal and import never arrive'],
  ['late', 'append, upload, seal and import have no answer and arrive much later'],
  ['twice', 'append, upload, seal and import arrive twice'],
] as const;

it.each(faults)('D2, D3, D4: %s: %s: each event once, and the numbers agree', async (kind) => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('main');
  for (const call of calls) member.faults.add({ ...call, kind, times: 2 });
  await member.start();
  for (let rounds = 0; !member.faults.isSpent; rounds += 1) {
    expect(rounds).toBeLessThan(10);
    await world.produce(30, { brokenEvery: 2 + rounds });
    await world.delivered(sink);
  }
  await member.faults.deliver();
  await member.faults.deliver();
  await expectDelivered(world, sink);
  expect(member.told).toMatchObject({ failures: [], holes: 0, torn: [] });
});
