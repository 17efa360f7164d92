import { expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { importNoteDocuments } from '../../src/documents/import-note-document.ts';
import type { ImportNote } from '../../src/core/import-note.ts';
import { never, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';

let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

async function history(): Promise<readonly ImportNote[]> {
  const prefix = `${progressId(sink.incarnation)}/`;
  const found = await world.ports.catalog.list({ collection: 'import-history', prefix }, never);
  return found.map(({ value }) => importNoteDocuments.parse(value));
}

it('notes each import once, with what it loaded', async () => {
  const member = world.member('main');
  await member.start();
  for (const count of [20, 7]) {
    await world.produce(count, { brokenEvery: 10 });
    await world.delivered(sink);
  }
  await world.until(async () => (await history()).length === 2);
  const notes = await history();
  expect(notes.map(({ number, verdict, rows, dead }) => ({ number, verdict, rows, dead }))).toEqual([
    { number: 1, verdict: 'loaded', rows: 18, dead: 2 },
    { number: 2, verdict: 'loaded', rows: 7, dead: 0 },
  ]);
});

it('an importer that finds the verdict of one that was killed notes the import', async () => {
  const killed = world.member('killed');
  killed.faults.add({ port: 'tables', method: 'import', kind: 'lostAnswer' });
  await killed.start();
  await world.produce(20);
  await world.until(() => killed.faults.isSpent, 1000);
  await killed[Symbol.asyncDispose]();
  expect(await history()).toEqual([]);
  const successor = world.member('successor');
  await successor.start();
  await world.delivered(sink);
  await world.until(async () => (await history()).length === 1);
  expect(await history()).toMatchObject([{ number: 1, verdict: 'loaded', rows: 20 }]);
});

it('D6: a history that cannot be written holds up no import', async () => {
  const member = world.member('main');
  const isNote = ([write]: readonly unknown[]): boolean =>
    (write as { readonly collection: string }).collection === 'import-history';
  member.faults.add({ port: 'catalog', method: 'compareAndSet', kind: 'held', when: isNote });
  await member.start();
  for (let round = 0; round < 3; round += 1) {
    await world.produce(5);
    await world.delivered(sink);
  }
  expect(await history()).toEqual([]);
  await member.faults.deliver();
  await world.until(async () => (await history()).length === 3);
});
