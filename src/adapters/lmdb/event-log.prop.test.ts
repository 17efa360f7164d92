import { deepEqual, equal, ok } from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, it } from 'vitest';
import type { EventLog, GroupMember, IdentifiedPartition, LogRecord } from '../../ports/event-log.ts';
import { systemClock } from '../../runtime/system-clock.ts';
import { openLmdbEventLog } from './event-log.ts';

type Command =
  | { readonly kind: 'append'; readonly sizes: readonly number[]; readonly writer: 0 | 1 }
  | { readonly kind: 'trim'; readonly share: number }
  | { readonly kind: 'read'; readonly share: number; readonly maxBytes: number }
  | { readonly kind: 'reopen' };

const share = fc.double({ min: 0, max: 1.1, noNaN: true });
const size = fc.oneof(fc.nat(200), fc.nat(20_000), fc.integer({ min: 100_000, max: 400_000 }));
const writer = fc.constantFrom(0 as const, 1 as const);
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('append'), sizes: fc.array(size, { minLength: 1 }), writer }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('trim'), share }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('read'), share, maxBytes: fc.nat(600_000) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reopen') }) },
);

const waiting = { signal: new AbortController().signal };
let path: string;
let runs = 0;

beforeAll(async () => {
  path = await mkdtemp(join(tmpdir(), 'millrace-log-'));
});
afterAll(() => rm(path, { recursive: true, force: true }));

it('behaves like a list of records that loses its beginning, whatever is appended, trimmed, read and reopened', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { maxLength: 25 }), async (commands) => {
      runs += 1;
      const model = new Model(`topic-${runs}`);
      await model.open();
      try {
        for (const step of commands) await model.run(step);
      } finally {
        await model.close();
      }
    }),
    { numRuns: 40 },
  );
});

class Model {
  #at: IdentifiedPartition;
  readonly #sizes: number[] = [];
  #trimmed = 0;
  #logs: EventLog[] = [];
  #member: GroupMember | undefined;

  constructor(topic: string) {
    this.#at = { topic, identity: '', partition: 0 };
  }

  async open(): Promise<void> {
    for (const instance of ['0', '1']) this.#logs.push(await openLmdbEventLog({ path, instance, clock: systemClock }));
    const log = this.#log(0);
    const { identity } = await log.createTopic({ name: this.#at.topic, partitions: 1 }, waiting);
    this.#at = { ...this.#at, identity };
    this.#member = await log.join({ group: 'group', member: 'member' }, waiting);
    await this.#member.subscribe([this.#at.topic], waiting);
    await this.#member.poll({ maxBytes: 1, maxWaitMs: 0 }, waiting);
  }

  async close(): Promise<void> {
    for (const log of this.#logs) await log[Symbol.asyncDispose]();
    this.#logs = [];
  }

  async run(step: Command): Promise<void> {
    switch (step.kind) {
      case 'append':
        equal(await this.#append(step.sizes, step.writer), this.#sizes.length - step.sizes.length);
        break;
      case 'trim': {
        const before = Math.floor(step.share * this.#sizes.length);
        await this.#log(0).trim(this.#at, before, waiting);
        this.#trimmed = Math.max(this.#trimmed, Math.min(before, this.#sizes.length));
        break;
      }
      case 'read':
        await this.#read(Math.floor(step.share * this.#sizes.length), step.maxBytes);
        break;
      case 'reopen':
        await this.close();
        await this.open();
        break;
      default:
        step satisfies never;
    }
    await this.#check();
  }

  async #check(): Promise<void> {
    const [range] = await this.#log(0).ranges(this.#at.topic, waiting);
    equal(range!.durableEnd, this.#sizes.length);
    ok(range!.first <= this.#trimmed);
    const held = this.#sizes.slice(range!.first).reduce((sum, bytes) => sum + bytes, 0);
    ok(range!.bytes >= held);
    const last = await this.#log(1).lastRecord(this.#at, waiting);
    if (range!.first === range!.stableEnd) equal(last, undefined);
    else this.#checkRecord(last!, this.#sizes.length - 1);
  }

  async #append(sizes: readonly number[], by: 0 | 1): Promise<number> {
    const records = sizes.map((bytes, index) => ({
      value: Buffer.alloc(bytes, (this.#sizes.length + index) % 251),
      headers: [],
      timestamp: this.#sizes.length + index,
    }));
    this.#sizes.push(...sizes);
    return this.#log(by).append(this.#at, records, waiting);
  }

  async #read(position: number, maxBytes: number): Promise<void> {
    const [range] = await this.#log(0).ranges(this.#at.topic, waiting);
    this.#member!.seek(this.#at, position);
    const [batch] = await this.#member!.poll({ maxBytes, maxWaitMs: 0 }, waiting);
    if (position >= this.#sizes.length) {
      equal(batch, undefined);
      return;
    }
    equal(batch!.first, range!.first);
    const start = Math.max(position, range!.first);
    for (const [index, record] of batch!.records.entries()) this.#checkRecord(record, start + index);
    equal(batch!.next, start + batch!.records.length);
    if (start < this.#sizes.length) ok(batch!.records.length > 0);
    const bytes = batch!.records.reduce((sum, { value }) => sum + value.length, 0);
    if (batch!.records.length > 1) ok(bytes <= maxBytes);
  }

  #checkRecord(record: LogRecord, offset: number): void {
    deepEqual([record.offset, record.timestamp, record.value.length], [offset, offset, this.#sizes[offset]]);
    equal(record.value.at(-1) ?? offset % 251, offset % 251);
  }

  #log(index: number): EventLog {
    return this.#logs[index]!;
  }
}
