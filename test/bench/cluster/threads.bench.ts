import type { Bench, BenchOptions, BenchResult } from '../bench.ts';
import { figureOf } from '../figure.ts';
import { startLoader } from '../load/http-load.ts';
import { rate } from '../rate.ts';
import { inTurns } from '../rounds.ts';
import { sideCost } from '../side-cost.ts';
import { measureSide, warmUp, type Measured } from '../sides/loaded-side.ts';
import { spreadOf } from '../statistics.ts';
import { events as bodies } from './events.ts';
import { Lab } from './lab.ts';

interface Loaded {
  /** As much as it takes. */
  readonly full: Measured;
  /** At a rate that is the same for both sides. */
  readonly even: Measured;
}

interface Round {
  readonly one: Loaded;
  readonly two: Loaded;
}

/** What one thread takes even on a slow machine. */
const evenPerSecond = 4000;

/** One and two threads of ingest, each a process of its own on a source of two partitions. */
export const threadsBench: Bench = {
  meaning: 'two threads of ingest against one, one event a request',
  usual: { rounds: 7, seconds: 3 },
  run: benchThreads,
};

async function benchThreads(options: BenchOptions): Promise<BenchResult> {
  await using lab = await Lab.open();
  await using loader = startLoader();
  await using one = await lab.ingest('one', { partitions: 2, env: { MILLRACE_THREADS: '1' } });
  await using two = await lab.ingest('two', { partitions: 2, env: { MILLRACE_THREADS: '2' } });
  const load = { connections: options.connections, seconds: options.seconds, body: Buffer.alloc(0), bodies };
  for (const side of [one, two]) await warmUp(side, loader, load);
  const measure = async (side: typeof one): Promise<Loaded> => ({
    full: await measureSide(side, loader, load),
    even: await measureSide(side, loader, { ...load, perSecond: evenPerSecond }),
  });
  const rounds = await inTurns<Round>(options, {
    one: async () => ({ one: await measure(one) }),
    two: async () => ({ two: await measure(two) }),
  });
  const cost = (side: keyof Round, kind: keyof Loaded, name: string) =>
    sideCost(
      name,
      rounds.map((round) => round[side][kind]),
    );
  const costs = [
    cost('one', 'full', 'as much as it takes, one thread'),
    cost('two', 'full', 'as much as it takes, two threads'),
    cost('one', 'even', 'same rate, one thread'),
    cost('two', 'even', 'same rate, two threads'),
  ] as const;
  const [fullOfOne, fullOfTwo, evenOfOne, evenOfTwo] = costs;
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ one, two }) => two.full.microseconds / one.full.microseconds)), {
        what: 'two ingest threads, as much as they take: processor time of an event, times that with one',
        floor: '1.15',
        goal: '1.05',
        sides: `${fullOfTwo.microseconds.median.toFixed(1)} µs of ${fullOfOne.microseconds.median.toFixed(1)} µs`,
      }),
      figureOf(spreadOf(rounds.map(({ one, two }) => two.full.perSecond / one.full.perSecond)), {
        what: 'the same, events/s, on the cores of this machine, which loader and servers use, too',
        floor: '–',
        goal: '–',
        sides: `${rate(fullOfTwo.perSecond.median, 'events')} of ${rate(fullOfOne.perSecond.median, 'events')}`,
      }),
      figureOf(spreadOf(rounds.map(({ one, two }) => two.even.microseconds / one.even.microseconds)), {
        what: `two ingest threads at ${evenPerSecond.toLocaleString('en')} events/s: processor time of an event, times that with one`,
        floor: '1.15',
        goal: '1.05',
        sides: `${evenOfTwo.microseconds.median.toFixed(1)} µs of ${evenOfOne.microseconds.median.toFixed(1)} µs`,
      }),
    ],
    costs,
  };
}
