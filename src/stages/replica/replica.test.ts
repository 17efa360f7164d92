import { z } from 'zod';
import { DocumentKind } from '../../documents/document-kind.ts';
import { expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { Definitions } from './definitions.ts';
import { Replica } from './replica.ts';

it('drops an answer that was overtaken, so that what is gone does not come back', async () => {
  await using world = await DeliveryWorld.open();
  const { catalog } = world.ports;
  const overtaken = Promise.withResolvers<void>();
  let asked = 0;
  /** The second question overtakes the first, which was answered already. */
  const changes: typeof catalog.changes = async (query, options) => {
    asked += 1;
    const isFirst = asked === 1;
    const answer = await catalog.changes(query, options);
    if (isFirst) await overtaken.promise;
    return answer;
  };
  const replica = new Replica({
    catalog: { changes } as Catalog,
    kind: new DocumentKind({ collection: 'token', schema: z.looseObject({}) }),
    onInvalid: () => undefined,
  });
  const told: string[] = [];
  replica.listen(({ written, removed }) => told.push(...written, ...removed.map((id) => `-${id}`)));
  await world.put('token', 'revoked', { is: 'there' });
  const slow = replica.refresh(0, never);
  const found = await catalog.get('token', 'revoked', never);
  await catalog.remove('token', 'revoked', found?.revision ?? 0, never);
  await replica.refresh(0, never);
  overtaken.resolve();
  await slow;
  expect(replica.get('revoked')).toBeUndefined();
  expect(told).toEqual([]);
});

it('D7: begins with what another replica knew, and tells what the catalog has changed since', async () => {
  await using world = await DeliveryWorld.open();
  const { catalog } = world.ports;
  const options = {
    catalog,
    kind: new DocumentKind({ collection: 'token', schema: z.looseObject({}) }),
    onInvalid: () => undefined,
  };
  const [known, beginning] = [new Replica(options), new Replica(options)];
  for (const id of ['kept', 'changed', 'removed']) await world.put('token', id, { is: 'old' });
  await known.refresh(0, never);
  beginning.begin(known.values());
  expect([...beginning.values()]).toEqual([...known.values()]);
  await world.put('token', 'changed', { is: 'new' });
  const found = await catalog.get('token', 'removed', never);
  await catalog.remove('token', 'removed', found?.revision ?? 0, never);
  const told: unknown[] = [];
  beginning.listen((change) => told.push(change));
  await beginning.refresh(0, never);
  expect(told).toMatchObject([{ written: ['changed'], removed: ['removed'] }]);
  await known.refresh(0, never);
  expect([...beginning.values()].toSorted(byId)).toEqual([...known.values()].toSorted(byId));
});

function byId(a: { readonly id: string }, b: { readonly id: string }): number {
  return a.id < b.id ? -1 : 1;
}

it('D7: a listener that throws keeps a change from no other one, because it is told once', async () => {
  await using world = await DeliveryWorld.open();
  const replica = new Replica({
    catalog: world.ports.catalog,
    kind: new DocumentKind({ collection: 'token', schema: z.looseObject({}) }),
    onInvalid: () => undefined,
  });
  const told: string[] = [];
  replica.listen(() => {
    throw new Error('a defect');
  });
  replica.listen(({ written }) => told.push(...written));
  await world.put('token', 'one', {});
  await expect(replica.refresh(0, never)).rejects.toThrow('a defect');
  expect(told).toEqual(['one']);
});

it('D7: follows a catalog that was brought back to what it was, and what is written there from then on', async () => {
  await using world = await DeliveryWorld.open();
  let { catalog } = world.ports;
  const replica = new Replica({
    catalog: { changes: (...given) => catalog.changes(...given) } as Catalog,
    kind: new DocumentKind({ collection: 'token', schema: z.looseObject({}) }),
    onInvalid: () => undefined,
  });
  const held = (): unknown => Object.fromEntries([...replica.values()].map(({ id, value }) => [id, value]));
  for (const id of ['kept', 'changed', 'removed']) await world.put('token', id, { is: 'first' });
  await world.copy('catalog');
  ({ catalog } = world.ports);
  const removed = await catalog.get('token', 'removed', never);
  await catalog.remove('token', 'removed', removed?.revision ?? 0, never);
  for (const is of ['second', 'third']) await world.put('token', 'changed', { is });
  await world.put('token', 'new', { is: 'first' });
  await replica.refresh(0, never);
  expect(held()).toEqual({ kept: { is: 'first' }, changed: { is: 'third' }, new: { is: 'first' } });
  await world.restore('catalog');
  ({ catalog } = world.ports);
  await replica.refresh(0, never);
  expect(held()).toEqual({ kept: { is: 'first' }, changed: { is: 'first' }, removed: { is: 'first' } });
  await world.put('token', 'changed', { is: 'other' });
  await replica.refresh(0, never);
  expect(held()).toMatchObject({ changed: { is: 'other' } });
});

it('D6: a source under an id that is not its own is reported, and no source of anybody', async () => {
  await using world = await DeliveryWorld.open();
  const shop = await addWorldSource(world);
  const reported: unknown[] = [];
  const { sources } = new Definitions({
    catalog: world.ports.catalog,
    onInvalid: (id, error) => reported.push([id, MillraceError.fromUnknown(error).code]),
  });
  for (const id of ['shop', '000000000000001/copy']) await world.put('source', id, shop);
  await sources.refresh(0, never);
  expect([...sources.values()].map(({ id }) => id)).toEqual(['000000000000001/shop']);
  expect(reported).toEqual([
    ['000000000000001/copy', 'catalog.invalidDocument'],
    ['shop', 'catalog.invalidDocument'],
  ]);
});
