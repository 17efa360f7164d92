import { expect, test } from 'vitest';
import type { BranchId } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { StillClock, testSource } from '../../../../test/support/ingest-harness.ts';
import { createAppendLog } from '../../../../test/support/memory-event-log.ts';
import { silentIngest } from '../../../../test/support/silent-ingest.ts';
import { acceptDefaults } from './accept-limits.ts';
import { createAcceptor } from './acceptor.ts';
import { Intake } from './intake.ts';
import { Intakes } from './intakes.ts';
import type { Refusal } from '../../../events/refusal.ts';
import type { Sender } from './sender.ts';
import type { DirectorySource } from './source-directory.ts';
import { eventRecords, identify } from '../../../events/event-records.ts';
import type { Write, WriteResult } from './write.ts';

/** A sender without a protocol, that keeps what it is told. */
class KeepingSender implements Sender {
  isReceiving = true;
  readonly told: string[] = [];
  onAnswer: () => void = () => undefined;

  answer(results: readonly WriteResult[]): void {
    this.onAnswer();
    this.told.push(results.map(({ outcome }) => (typeof outcome === 'string' ? outcome : outcome.name)).join(' '));
  }

  refuse({ name, stored }: Refusal): void {
    this.told.push(`refused: ${name}, stored: ${stored}`);
  }

  cut({ name }: Refusal): void {
    this.told.push(`cut: ${name}`);
  }
}

function begin(limits = acceptDefaults) {
  const log = createAppendLog({ keep: true });
  const sources = { version: 1, find: () => [], all: () => [] };
  const acceptor = createAcceptor({ log: log.log, sources, clock: new StillClock(), telemetry: silentIngest, limits });
  const intakes = new Intakes<KeepingSender>(acceptor, new AbortController().signal);
  const sender = new KeepingSender();
  return { log, acceptor, intakes, sender, intake: new Intake(intakes, sender) };
}

function sourceOf(branchId: number, changes: Partial<DirectorySource> = {}): DirectorySource {
  const { key } = testSource();
  return testSource({
    key: { ...key, branchId: branchId as BranchId },
    topic: `source.${branchId}.orders`,
    ...changes,
  });
}

const refusal = { error: 'diskFull', message: 'The disk is full.', retryAfterSeconds: 10 };
const origin = { remoteAddress: '10.0.0.1', arrivedAt: 0, marks: [], headers: [] };

function writesTo(sources: readonly DirectorySource[], texts: readonly string[] = ['x']): readonly Write[] {
  const events = identify(
    texts.map((text) => Buffer.from(text)),
    0,
    () => 'id',
  );
  const records = eventRecords(events, origin);
  return sources.map((source) => ({ source, records, ids: events.ids }));
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('D1: the sender of several writes is told once, when the last of those it waits for is known', async () => {
  const { log, intake, sender } = begin();
  log.hold();
  intake.begin(100);
  intake.complete();
  intake.store(writesTo([sourceOf(1), sourceOf(2, { syncWait: false }), sourceOf(3, { refusal })]));
  await turn();
  expect(sender.told).toEqual([]);
  log.release();
  await turn();
  expect(sender.told).toEqual(['stored accepted diskFull']);
});

test('D8: bytes of a request are counted until the log has answered for all of its events', async () => {
  const { log, acceptor, intakes, intake, sender } = begin({ ...acceptDefaults, maxBufferedBytes: 2000 });
  log.hold();
  expect([intake.begin(600), intake.hold(300), intake.hold(2000)]).toEqual([true, true, false]);
  intake.complete();
  intake.store(writesTo([sourceOf(1, { syncWait: false }), sourceOf(2, { refusal })]));
  expect([sender.told, acceptor.inFlight.bytes]).toEqual([['accepted diskFull'], 900]);
  expect(intakes.size).toBe(1);
  log.release();
  await turn();
  expect([acceptor.inFlight.bytes, intakes.size]).toEqual([0, 0]);
});

test('D8: a request that is not decoded at its deadline is refused, and nothing of it is stored', () => {
  const { acceptor, intake, sender } = begin();
  intake.begin(600);
  const late = acceptor.clock.monotonic() + acceptDefaults.appendTimeoutMs + 1000;
  intake.expire(late);
  expect(sender.told).toEqual([]);
  intake.complete();
  intake.expire(late);
  expect(sender.told).toEqual(['refused: tooManyRequests, stored: no']);
});

test('D1: a defect while the sender is told is one of ours, after the events went to the log', async () => {
  const { intake, sender } = begin();
  sender.onAnswer = () => {
    throw new MillraceError('internal.bug', 'a defect');
  };
  intake.begin(100);
  intake.complete();
  intake.store(writesTo([sourceOf(1)]));
  await turn();
  expect(sender.told).toEqual(['refused: internalError, stored: maybe']);
});

test('D10: closing ends with the last request; of those that are open only what still arrives is cut', async () => {
  const { log, intakes, intake, sender } = begin();
  log.hold();
  const arriving = new KeepingSender();
  const late = new Intake(intakes, arriving);
  late.begin(100);
  intake.begin(100);
  intake.complete();
  sender.isReceiving = false;
  intake.store(writesTo([sourceOf(1)]));
  let isClosed = false;
  const closed = intakes.close().then(() => {
    isClosed = true;
    return undefined;
  });
  intakes.cutReceiving();
  late.end();
  log.release();
  expect([arriving.told, intakes.isClosing, isClosed]).toEqual([['cut: shutdown'], true, false]);
  await closed;
  expect(sender.told).toEqual(['stored']);
});

test('D8: a request that has ended holds nothing, whatever was still made of it', () => {
  const { acceptor, intake } = begin();
  intake.begin(100);
  expect(intake.hold(50)).toBe(true);
  intake.release(20);
  expect(acceptor.inFlight.bytes).toBe(130);
  intake.end();
  expect(intake.hold(10)).toBe(false);
  intake.release(10);
  expect(acceptor.inFlight.bytes).toBe(0);
});
