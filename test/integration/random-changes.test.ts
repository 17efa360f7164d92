import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { isDelivered, requestFlush } from '../../src/core/progress/flush.ts';
import { inside } from '../../src/core/progress/intervals.ts';
import { entryOf, type SinkProgress } from '../../src/core/progress/sink-progress.ts';
import { close, open } from '../../src/core/progress/switch.ts';
import { DeliveryWorld, never, source, type WorldSink } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import type { PortName } from '../support/faults/faults.ts';
import type { Member } from '../support/faults/member.ts';
import { addWorldSource } from '../support/faults/world-source.ts';
import { isLong } from '../support/long-tests.ts';

const importInterval = 'storage.level.target.import.trigger.interval';
const uploadInterval = 'storage.level.staging.upload.trigger.interval';
const intervals = [
  { [uploadInterval]: '30m', [importInterval]: '24h' },
  { [uploadInterval]: '1s', [importInterval]: '24h' },
  { [uploadInterval]: '1s', [importInterval]: '30s' },
] as const;
const ports: readonly PortName[] = ['catalog', 'sourceLog', 'sinkLog', 'objects', 'tables'];
const mostPartitions = 4;

const command = fc.record({
  kind: fc.constantFrom(
    ...(['produce', 'produce', 'sink', 'disable', 'enable', 'delete', 'flush', 'settings', 'grow'] as const),
    ...(['away', 'back', 'start', 'kill', 'drain'] as const),
  ),
  at: fc.nat(100),
  passMs: fc.constantFrom(0, 0, 50, 2000, 20_000),
});
type Command = typeof command extends fc.Arbitrary<infer One> ? One : never;

interface Made {
  readonly sink: WorldSink;
  /** Places of the events that came while it was enabled. */
  readonly wanted: string[];
  state: 'open' | 'closed' | 'deleted';
}

/** A world in which somebody does one thing after the other, and what has to be true whatever that is. */
class Changes {
  readonly #world: DeliveryWorld;
  readonly #sinks: Made[] = [];
  readonly #members: Member[] = [];
  #partitions = 2;

  constructor(world: DeliveryWorld) {
    this.#world = world;
  }

  async do({ kind, at, passMs }: Command): Promise<void> {
    const world = this.#world;
    const made = this.#sinks[at % Math.max(1, this.#sinks.length)];
    const member = this.#members[at % Math.max(1, this.#members.length)];
    const port = ports[at % ports.length] ?? 'catalog';
    if (kind === 'produce') await this.#produce(1 + (at % 5), at % this.#partitions);
    else if (kind === 'sink' && this.#sinks.length < 6) await this.#make();
    else if (kind === 'settings') await this.#set(at % intervals.length);
    else if (kind === 'grow' && this.#partitions < mostPartitions)
      await world.ports.sourceLog.growTopic(source, (this.#partitions += 1), never);
    else if (kind === 'start' && this.#members.length < 3) await this.start();
    else if (kind === 'away') member?.faults.away(port);
    else if (kind === 'back') member?.faults.back(port);
    else if ((kind === 'kill' || kind === 'drain') && member !== undefined && this.#members.length > 1) {
      this.#members.splice(this.#members.indexOf(member), 1);
      for (const name of ports) if (kind === 'drain') member.faults.back(name);
      if (kind === 'drain') await world.drain(member);
      await member[Symbol.asyncDispose]();
    } else if (made !== undefined) await this.#change(made, kind);
    await world.pass(passMs, Math.max(10, passMs / 20));
  }

  async start(): Promise<void> {
    const member = this.#world.member(`member-${this.#members.length}`);
    await member.start();
    this.#members.push(member);
  }

  async #make(): Promise<void> {
    const sink = await this.#world.addSink(`sink-${this.#sinks.length}`);
    this.#sinks.push({ sink, wanted: [], state: 'open' });
  }

  async #set(settings: number): Promise<void> {
    await addWorldSource(this.#world, { settings: intervals[settings] ?? {} });
  }

  async #change(made: Made, kind: Command['kind']): Promise<void> {
    const { sink, state } = made;
    const ends = await this.#world.ends();
    if (kind === 'disable' && state === 'open') {
      await this.#world.change(sink, (progress) => close(progress, ends, { deleted: false }));
      made.state = 'closed';
    } else if (kind === 'enable' && state === 'closed') {
      await this.#world.change(sink, (progress) => open(progress, ends));
      made.state = 'open';
    } else if (kind === 'delete' && state !== 'deleted') {
      await deleteSink(this.#world, sink);
      made.state = 'deleted';
    } else if (kind === 'flush' && state !== 'deleted')
      await this.#world.change(sink, (progress) => requestFlush(progress, ends.durable));
  }

  /** D2, D3, D5, D7: all is well again, and each change of the intervals rules at once what waits. */
  async settle(): Promise<void> {
    const world = this.#world;
    for (const { faults } of this.#members) for (const port of ports) faults.back(port);
    // What failed is tried again.
    await this.#set(2);
    await world.pass(120_000, 1000);
    await this.#set(0);
    await this.#make();
    await this.#soon('all sinks are known', async () => this.#all((one) => isKnown(this.#members, one)));
    for (let partition = 0; partition < this.#partitions; partition += 1) await this.#produce(3, partition);
    await this.#soon('all is mapped', () => this.#allMapped());
    await this.#set(1);
    await world.pass(2000, 100);
    const { durable } = await world.ends();
    await this.#soon('all is staged', () =>
      this.#all(({ entries, ...progress }) =>
        [...durable].every(([partition, end]) => {
          const { source: taken, intervals: wanted } = entryOf({ entries, ...progress }, partition);
          return inside(wanted, { from: taken, to: end - 1 }).length === 0;
        }),
      ),
    );
    await world.pass(31_000, 500);
    await this.#set(2);
    await this.#soon('all is imported', () => this.#all((progress) => isDelivered(progress, durable)));
  }

  /** Places in the tables, by sink. */
  async rows(): Promise<Readonly<Record<string, readonly string[]>>> {
    const all: Record<string, readonly string[]> = {};
    for (const { sink } of this.#sinks) all[sink.key.sinkId] = await this.#world.rows(sink);
    return all;
  }

  /** Places that belong there. */
  wanted(): Readonly<Record<string, readonly string[]>> {
    return Object.fromEntries(this.#sinks.map(({ sink, wanted }) => [sink.key.sinkId, wanted.toSorted()]));
  }

  /** It comes to that long before everything is looked at anyway. */
  async #soon(what: string, check: () => Promise<boolean>): Promise<void> {
    const began = this.#world.clock.monotonic();
    await this.#world.until(async () => {
      if (this.#world.clock.monotonic() - began > 15_000) throw new Error(`not soon: ${what}`);
      return check();
    }, 2);
  }

  async #all(check: (progress: SinkProgress) => boolean): Promise<boolean> {
    for (const { value } of await this.#world.ports.catalog.list({ collection: 'progress', prefix: '' }, never))
      if (!check(value as SinkProgress)) return false;
    return true;
  }

  async #allMapped(): Promise<boolean> {
    const { durable } = await this.#world.ends();
    for (const { sink, state } of this.#sinks) {
      if (state !== 'open') continue;
      const progress = await this.#world.progress(sink);
      const ranges = await this.#world.ports.sinkLog.ranges(sink.topic, never);
      for (const [partition, end] of durable) {
        const { source: taken, sink: passed, intervals: wanted } = entryOf(progress, partition);
        const waiting = inside(wanted, { from: taken, to: end - 1 }).length > 0;
        if (waiting && (ranges[partition]?.durableEnd ?? 0) <= passed) return false;
      }
    }
    return true;
  }

  async #produce(count: number, partition: number): Promise<void> {
    const before = new Set(this.#world.produced().all);
    await this.#world.produce(count, { partition });
    const came = this.#world.produced().all.filter((at) => !before.has(at));
    for (const { state, wanted } of this.#sinks) if (state === 'open') wanted.push(...came);
  }
}

function isKnown(members: readonly Member[], { incarnation }: SinkProgress): boolean {
  return members.every(({ configuration }) => configuration.progressOf(incarnation) !== undefined);
}

it('D2, D3, D5, D7: whatever is changed, fails, dies or joins, and when, what came is where it belongs soon after', async () => {
  const property = fc.asyncProperty(fc.array(command, { maxLength: 25, size: 'max' }), async (commands) => {
    await using world = await DeliveryWorld.open({ partitions: 2 });
    const changes = new Changes(world);
    await changes.start();
    for (const one of commands) await changes.do(one);
    await changes.settle();
    expect(await changes.rows()).toEqual(changes.wanted());
  });
  await fc.assert(property, { numRuns: isLong ? 100 : 6, endOnFailure: true });
}, 600_000);
