import * as fc from 'fast-check';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../../test/support/faults/delivery-world.ts';
import type { Collection } from '../../../ports/catalog.ts';
import { Definitions } from '../../replica/definitions.ts';
import { ReplicaDirectory } from './replica-directory.ts';

let world: DeliveryWorld;
let definitions: Definitions;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  const { catalog } = world.ports;
  definitions = new Definitions({ catalog, onInvalid: (id, error) => expect.fail(`${id}: ${String(error)}`) });
});

afterEach(() => world[Symbol.asyncDispose]());

const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } } as const;
const version = { ...stamp, number: 1, hash: '0123456789abcdef', description: '' };
const waitsKey = 'storage.level.local.encoding.sync.wait';

/** What may be different from one time to the next. */
interface State {
  readonly branch: number;
  readonly source: string;
  readonly waits: boolean;
  readonly state: 'on' | 'disabled' | 'deleted' | 'removed';
}

const common = ({ branch, source, waits: isWaiting, state }: State) => ({
  branchId: branch,
  sourceId: source,
  name: source,
  description: '',
  // The default is to wait.
  settings: { [waitsKey]: isWaiting },
  version,
  created: stamp,
  incarnation: 1,
  // Nobody else reads it.
  state,
  ...(state === 'disabled' && { disabled: { ...stamp, reason: '', withSource: false } }),
  ...(state === 'deleted' && { deleted: { ...stamp, withSource: false } }),
});

async function put(collection: Collection, id: string, document: object & Pick<State, 'state'>): Promise<void> {
  if (document.state !== 'removed') return world.put(collection, id, document);
  const found = await world.ports.catalog.get(collection, id, never);
  if (found !== undefined) await world.ports.catalog.remove(collection, id, found.revision, never);
}

async function putSource(given: State): Promise<void> {
  const id = `${String(given.branch).padStart(15, '0')}/${given.source}`;
  const own = {
    type: 'http',
    secrets: [{ text: 'x'.repeat(48) }],
    topic: 'topic',
    topicIdentity: 'none',
    partitions: 1,
  };
  await put('source', id, { ...common(given), ...own });
}

async function putSink(given: State, sink: string): Promise<void> {
  const id = `${String(given.branch).padStart(15, '0')}/${given.source}/${sink}`;
  const table = { type: 'keboola', tableId: 'in.c-shop.orders', columns: [{ type: 'body', name: 'body' }] };
  const own = { sinkId: sink, type: 'table', allowedSignals: [], table, mappingVersion: 1 };
  await put('sink', id, { ...common(given), ...own });
}

const ids = ['a', 'b'];
const state = fc.record<State>({
  branch: fc.constantFrom(1, 2),
  source: fc.constantFrom(...ids),
  waits: fc.boolean(),
  state: fc.constantFrom('on', 'disabled', 'deleted', 'removed'),
});
const step = fc.oneof(
  fc.record({ kind: fc.constant('source' as const), to: state }),
  fc.record({ kind: fc.constant('sink' as const), to: state, sink: fc.constantFrom('x', 'y') }),
  fc.record({ kind: fc.constantFrom('learn', 'look') }),
);

const found = (directory: ReplicaDirectory): unknown => ids.map((id) => directory.find(1, id));
const make = (): ReplicaDirectory => new ReplicaDirectory({ definitions, projectId: 1, refusal: () => undefined });

it('D7: whatever has changed, a lookup finds what a directory that is made then would find (property)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const directory = make();
      const [looked, anew]: [unknown[], unknown[]] = [[], []];
      const look = (): void => {
        looked.push(found(directory));
        anew.push(found(make()));
      };
      for (const given of steps) {
        if (given.kind === 'source') await putSource(given.to);
        else if (given.kind === 'sink') await putSink(given.to, given.sink);
        else if (given.kind === 'learn') await definitions.load(never);
        else look();
      }
      await definitions.load(never);
      look();
      expect(looked).toEqual(anew);
      expect([...directory.all()]).toEqual(expect.arrayContaining([...make().all()]));
    }),
    { numRuns: 40 },
  );
});

it('D8: of 40 sources that one is described anew of which something has changed', async () => {
  const described: string[] = [];
  const directory = new ReplicaDirectory({
    definitions,
    projectId: 1,
    refusal: ({ sourceId }) => {
      described.push(sourceId);
      return undefined;
    },
  });
  const of = (number: number): State => ({ branch: 1, source: `s${number}`, waits: true, state: 'on' });
  // With the one of the world.
  for (let number = 1; number < 40; number += 1) await putSource(of(number));
  await definitions.load(never);
  const look = (): readonly string[] => {
    described.length = 0;
    directory.find(1, 's1');
    return described;
  };
  expect(look().length).toBe(40);
  expect(look()).toEqual([]);
  await putSource({ ...of(7), state: 'disabled' });
  await putSink(of(9), 'x');
  await definitions.load(never);
  expect(look()).toEqual(['s7', 's9']);
  expect(directory.find(1, 's9')).toMatchObject([{ enabledSinks: 1 }]);
  directory.changed();
  expect(look().length).toBe(40);
});
